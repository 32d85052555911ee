// @vitest-environment jsdom
import { PlinthClientError } from '@plinth/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ComponentInterrupt, ComponentToolProps } from '../component-tool-props.js';
import { useComponentTool } from '../use-component-tool.js';
import { ComponentSlot } from './component-slot.js';
import { button, click, draw, nextFrame, the, undraw } from './draw-for-test.js';
import { Providers, sessionForTest } from './session-for-test.js';

const INTERRUPT: ComponentInterrupt = {
  id: 'int_1',
  callId: 'tc_1',
  tool: 'choose_style',
  title: 'Choose a style',
  kind: 'component',
  component: 'Picker',
  props: { topic: 'tea' },
  schema: {},
  state: 'open',
  openedAt: '2030-01-01T10:00:00.000Z',
  expiresAt: null,
  answeredBy: null,
  answeredAt: null,
  closedWhy: null,
};
const ANSWERED: ComponentInterrupt = {
  ...INTERRUPT,
  state: 'answered',
  answeredAt: '2030-01-01T10:01:00.000Z',
  answeredBy: { kind: 'end_user', id: 'visitor' },
};

function Picker({ props, submit, decline, status, errors }: ComponentToolProps) {
  return (
    <div>
      <output>{`${props.topic} ${status} ${errors.map((error) => error.message).join()}`}</output>
      <button type="button" onClick={() => submit({ style: 'bold' })}>
        choose
      </button>
      <button type="button" onClick={() => decline('none of these')}>
        none
      </button>
    </div>
  );
}

function Broken(): never {
  throw new Error('boom');
}

function Register({ component }: { component: typeof Picker }) {
  useComponentTool('Picker', component);
  return null;
}

function page(
  interrupt: ComponentInterrupt,
  session = sessionForTest(),
  component: typeof Picker | null = Picker,
) {
  const node = (shown: ComponentInterrupt) => (
    <Providers>
      {component !== null && <Register component={component} />}
      <ComponentSlot thread={session} interrupt={shown} />
    </Providers>
  );
  const { box, redraw } = draw(node(interrupt));
  return { box, session, show: (shown: ComponentInterrupt) => redraw(node(shown)) };
}

afterEach(undraw);

describe("the host's component in the chat", () => {
  test('gets the props of the call and answers it', async () => {
    const { box, session } = page(INTERRUPT);
    expect(the(box, 'output').textContent).toBe('tea open ');
    await click(button(box, 'choose'));
    await click(button(box, 'none'));
    expect(session.answers.map((one) => one.answer)).toEqual([
      { type: 'submit', value: { style: 'bold' } },
      { type: 'decline', reason: 'none of these' },
    ]);
  });

  test("learns that its answer is under way, and the server's field errors", async () => {
    const { box, session } = page(INTERRUPT);
    session.set({ pendingAnswers: { int_1: 'sending' } });
    expect(the(box, 'output').textContent).toContain('sending');
    const fields = [{ path: 'style', message: 'sold out' }];
    session.set({
      pendingAnswers: {},
      answerErrors: { int_1: new PlinthClientError({ code: 'answer_invalid', message: '', fields }) },
    });
    await nextFrame();
    expect(the(box, 'output').textContent).toBe('tea open sold out');
  });

  test('leaves one line when it is answered, and nothing of the answer', () => {
    const { box, show } = page(INTERRUPT);
    show(ANSWERED);
    expect(the(box, '.plinth-settled').textContent).toMatch(/^Choose a styleYou answered at \d\d:01$/);
    expect(document.activeElement).toBe(the(box, '.plinth-settled'));
  });

  test('a line that was there from the start does not take the keyboard', () => {
    const { box } = page(ANSWERED);
    expect(document.activeElement).not.toBe(the(box, '.plinth-settled'));
  });

  test('who lost the race reads who answered', () => {
    const session = sessionForTest();
    const facts = { by: { kind: 'end_user', id: 'visitor' }, answeredAt: '2030-01-01T10:01:00.000Z' };
    session.set({
      answerErrors: {
        int_1: new PlinthClientError({ code: 'interrupt_already_answered', message: '', facts }),
      },
    });
    const { box } = page(ANSWERED, session);
    expect(the(box, '[role="status"]').textContent).toContain('already answered this in another tab');
  });

  test('a name that the page did not register is said aloud', () => {
    const { box } = page(INTERRUPT, sessionForTest(), null);
    expect(the(box, '[role="alert"]').textContent).toContain('no component named “Picker”');
  });

  test('a component that throws does not take the chat down', () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { box } = page(INTERRUPT, sessionForTest(), Broken);
    expect(the(box, '[role="alert"]').textContent).toContain('“Picker” failed');
    quiet.mockRestore();
  });
});
