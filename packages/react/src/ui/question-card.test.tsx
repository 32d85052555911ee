// @vitest-environment jsdom
import { PlinthClientError } from '@plinth/client';
import type { InterruptView, MessageView } from '@plinth/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { CallItem } from './call-item.js';
import { button, click, draw, the, type, undraw } from './draw-for-test.js';
import { Providers, sessionForTest } from './session-for-test.js';

const QUESTION: Extract<InterruptView, { kind: 'question' }> = {
  id: 'int_2',
  callId: 'tc_1',
  tool: 'ship',
  title: 'Ship the order',
  kind: 'question',
  state: 'open',
  openedAt: '2030-01-01T10:00:00.000Z',
  expiresAt: null,
  answeredBy: null,
  answeredAt: null,
  closedWhy: null,
  arguments: { order: 'A-7' },
  schema: { type: 'object', properties: { order: { type: 'string', title: 'Order' } } },
};
const { arguments: _arguments, schema: _schema, ...rest } = QUESTION;
const SLOT: InterruptView = { ...rest, id: 'int_1', kind: 'callback' };

function page(interrupts: InterruptView[]) {
  const session = sessionForTest();
  const call: MessageView['calls'][number] = {
    callId: 'tc_1',
    tool: 'ship',
    title: 'Ship the order',
    location: 'remote',
    turn: 0,
    status: 'started',
    arguments: { order: 'A-7' },
    progress: null,
    summary: null,
    error: null,
    artifactIds: [],
    visibility: 'chat',
  };
  const view: MessageView = {
    messageId: 'msg_1',
    runId: 'run_1',
    status: 'interrupted',
    reason: null,
    parts: [],
    calls: [call],
    interrupts,
    artifacts: [],
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
    error: null,
  };
  const { box } = draw(
    <Providers>
      <CallItem
        interrupts={view.interrupts}
        artifacts={view.artifacts}
        call={call}
        session={session}
        onOpenArtifact={undefined}
      />
    </Providers>,
  );
  return { session, box };
}

afterEach(undraw);

describe('the card that asks whether a call took effect', () => {
  test('says what the call was, that nobody knows, and what an answer leads to', () => {
    const { box } = page([SLOT, QUESTION]);
    const card = the(box, 'section');
    expect(box.querySelector(`[id="${card.getAttribute('aria-labelledby')}"]`)?.textContent).toBe(
      'Ship the order',
    );
    expect(box.querySelector(`[id="${card.getAttribute('aria-describedby')}"]`)?.textContent).toContain(
      'not known whether this took effect',
    );
    expect(the(box, 'dd').textContent).toBe('A-7');
  });

  test.each([
    ['It happened', 'happened'],
    ['It did not happen', 'did_not_happen'],
    ['I do not know', 'unknown'],
  ] as const)('"%s" is one press', async (name, outcome) => {
    const { box, session } = page([QUESTION]);
    await click(button(box, name));
    expect(session.answers).toEqual([{ interruptId: 'int_2', answer: { type: 'resolve', outcome } }]);
  });

  test('what the person knows of it goes with the answer', async () => {
    const { box, session } = page([SLOT, QUESTION]);
    type(the(box, 'textarea'), '  the shop has the order ');
    await click(button(box, 'It happened'));
    expect(session.answers.map(({ answer }) => answer)).toEqual([
      { type: 'resolve', outcome: 'happened', note: 'the shop has the order' },
    ]);
  });

  test('an answer that did not get through is kept, and the card says so', () => {
    const { box, session } = page([QUESTION]);
    session.set({ pendingAnswers: { int_2: 'queued' } });
    expect(the(box, '[role="status"]').textContent).toContain('Your answer is kept');
    expect(button(box, 'It happened').disabled).toBe(true);
  });

  test('while an answer is under way no second one can be given', () => {
    const { box, session } = page([QUESTION]);
    session.set({ pendingAnswers: { int_2: 'sending' } });
    expect([...box.querySelectorAll('button')].every((one) => one.disabled)).toBe(true);
    expect(the(box, 'section').getAttribute('aria-busy')).toBe('true');
  });

  test('a refusal is announced', () => {
    const { box, session } = page([QUESTION]);
    session.set({
      answerErrors: {
        int_2: new PlinthClientError({ code: 'interrupt_closed', message: 'closed', status: 409 }),
      },
    });
    expect(the(box, '[role="alert"]').textContent).toContain('closed before your answer');
  });

  test('once it is answered the job waits on at the slot that it had before', () => {
    const { box } = page([SLOT, { ...QUESTION, state: 'answered', answeredAt: QUESTION.openedAt }]);
    expect(box.querySelectorAll('button')).toHaveLength(0);
    expect(the(box, '.plinth-progress').textContent).toContain('In progress');
  });
});
