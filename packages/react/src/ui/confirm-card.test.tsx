// @vitest-environment jsdom
import { PlinthClientError } from '@plinth/client';
import type { InterruptView } from '@plinth/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfirmCard } from './confirm-card.js';
import { button, click, draw, the, type, undraw } from './draw-for-test.js';
import { Providers, type SessionForTest, sessionForTest } from './session-for-test.js';

const INTERRUPT: Extract<InterruptView, { kind: 'confirmation' }> = {
  id: 'int_1',
  callId: 'tc_1',
  tool: 'draw',
  title: 'Draw the poster',
  kind: 'confirmation',
  argumentsDigest: 'digest',
  remember: 'never',
  state: 'open',
  openedAt: '2030-01-01T10:00:00.000Z',
  expiresAt: null,
  answeredBy: null,
  answeredAt: null,
  closedWhy: null,
  arguments: { headline: 'Tea', size: 'A4', accent: '#3f6b4a', extra: { deep: true } },
  schema: {
    type: 'object',
    required: ['headline', 'size'],
    properties: {
      headline: { type: 'string', maxLength: 10, title: 'Headline' },
      size: { type: 'string', enum: ['A4', 'A3'], title: 'Size' },
      accent: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$', title: 'Accent' },
    },
  },
};

let session: SessionForTest;
let box: HTMLElement;

beforeEach(() => {
  session = sessionForTest();
  ({ box } = draw(
    <Providers>
      <ConfirmCard thread={session} interrupt={INTERRUPT} />
    </Providers>,
  ));
});
afterEach(undraw);

const refuse = (
  code: string,
  rest: { facts?: Record<string, unknown>; fields?: { path: string; message: string }[] } = {},
) =>
  session.set({
    answerErrors: { int_1: new PlinthClientError({ code, message: code, status: 422, ...rest }) },
  });
const field = (label: string) => {
  const found = [...box.querySelectorAll('label')].find((one) => one.textContent?.startsWith(label));
  return the(box, `[id="${found?.htmlFor}"]`);
};

describe('the card that asks for approval', () => {
  test('shows what will be done, and approves exactly that', async () => {
    expect([...box.querySelectorAll('dt')].map((dt) => dt.textContent)).toEqual([
      'Headline',
      'Size',
      'Accent',
      'extra',
    ]);
    expect(box.querySelector('dd')?.textContent).toBe('Tea');
    await click(button(box, 'Approve'));
    expect(session.answers).toEqual([{ interruptId: 'int_1', answer: { type: 'approve' } }]);
  });

  test('"do not ask again" stands there only where the tool offers it, and goes with the approval', async () => {
    expect(box.querySelector('input[type="checkbox"]')).toBeNull();
    undraw();
    ({ box } = draw(
      <Providers>
        <ConfirmCard thread={session} interrupt={{ ...INTERRUPT, remember: 'thread' }} />
      </Providers>,
    ));
    expect(the(box, '.plinth-remember').textContent).toBe('Do not ask again in this conversation');
    await click(the(box, 'input[type="checkbox"]'));
    await click(button(box, 'Edit'));
    expect(box.querySelector('.plinth-remember')).toBeNull();
    await click(button(box, 'Approve changes'));
    await click(button(box, 'Discard changes'));
    await click(button(box, 'Approve'));
    expect(session.answers.map(({ answer }) => answer)).toEqual([
      { type: 'approve', arguments: INTERRUPT.arguments },
      { type: 'approve', remember: true },
    ]);
  });

  test('edited arguments are approved with everything that was not touched', async () => {
    await click(button(box, 'Edit'));
    type(field('Headline'), 'Autumn tea');
    type(field('Size'), 'A3');
    await click(button(box, 'Approve changes'));
    expect(session.answers).toEqual([
      {
        interruptId: 'int_1',
        answer: {
          type: 'approve',
          arguments: { headline: 'Autumn tea', size: 'A3', accent: '#3f6b4a', extra: { deep: true } },
        },
      },
    ]);
  });

  test('a typing mistake is marked, gets the keyboard, and is not sent', async () => {
    await click(button(box, 'Edit'));
    type(field('Headline'), 'much too long');
    await click(button(box, 'Approve changes'));
    expect(session.answers).toEqual([]);
    expect(field('Headline').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field('Headline'));
    expect(the(box, '.plinth-field-error').textContent).toContain('10');
  });

  test("the server's 422 is shown at its field, and is gone when the changes are discarded", async () => {
    await click(button(box, 'Edit'));
    refuse('answer_invalid', { fields: [{ path: '/arguments/headline', message: 'already printed' }] });
    expect(the(box, '.plinth-field-error').textContent).toBe('already printed');
    await click(button(box, 'Discard changes'));
    expect(box.querySelector('.plinth-problem, .plinth-field-error')).toBeNull();
  });

  test('declines with the reason that was written, or with none', async () => {
    await click(button(box, 'Decline'));
    type(the(box, 'textarea'), ' too green ');
    await click(button(box, 'Decline'));
    type(the(box, 'textarea'), '  ');
    await click(button(box, 'Decline'));
    expect(session.answers.map((one) => one.answer)).toEqual([
      { type: 'decline', reason: 'too green' },
      { type: 'decline' },
    ]);
  });

  test('while an answer is under way no second one can be given', () => {
    session.set({ pendingAnswers: { int_1: 'sending' } });
    expect([...box.querySelectorAll('button')].every((one) => one.disabled)).toBe(true);
  });

  test('who came second learns who answered', () => {
    refuse('interrupt_already_answered', {
      facts: { by: { kind: 'api_key', id: 'key_1' }, answeredAt: '2030-01-01T10:01:00.000Z' },
    });
    expect(the(box, '[role="alert"]').textContent).toMatch(/already answered by the service, at \d\d:01/);
  });
});
