// @vitest-environment jsdom

import type { Plinth } from '@plinth/client';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../client/testing/eventually.js';
import { useInterrupt, useInterrupts, useThread } from '../index.js';
import { createRecordedPlinth, RecordedPage, type RecordedPlinth } from './index.js';
import recording from './poster.recording.json' with { type: 'json' };

let recorded: RecordedPlinth;
let roots: Root[];

beforeEach(() => {
  recorded = createRecordedPlinth(recording);
  roots = [];
});
afterEach(() => {
  for (const root of roots) root.unmount();
});

function Answer() {
  const [interrupt] = useInterrupts('thr_1');
  return interrupt ? <Form interrupt={interrupt} /> : null;
}
function Form({ interrupt }: { interrupt: Parameters<typeof useInterrupt>[1] }) {
  const { status, submit } = useInterrupt('thr_1', interrupt);
  return (
    <button type="button" data-what="form" onClick={() => submit({ style: 'ink' })}>
      {status}
    </button>
  );
}
function Chat() {
  const { state, send } = useThread('thr_1');
  const parts = state.messages.flatMap((message) => (message.role === 'assistant' ? message.view.parts : []));
  const texts = parts.map((part) => ('text' in part ? part.text : '#'));
  return (
    <>
      {state.messages.length} {texts.join('|')}
      <Answer />
      {state.connection}
      <button
        type="button"
        data-what="send"
        onClick={() => void send({ text: 'go', agent: 'poster' }).catch(() => undefined)}
      />
    </>
  );
}

async function show(plinth: Plinth = recorded.plinth): Promise<HTMLElement> {
  const box = document.createElement('div');
  const root = createRoot(box);
  roots.push(root);
  root.render(
    <RecordedPage recorded={recorded} plinth={plinth}>
      <Chat />
    </RecordedPage>,
  );
  await eventually(() => expect(box.textContent).toMatch(/live$/));
  return box;
}
const shows = (box: HTMLElement, text: string) => eventually(() => expect(box.textContent).toBe(text));
const press = (box: HTMLElement, what: 'form' | 'send') =>
  box.querySelector<HTMLElement>(`button[data-what="${what}"]`)?.click();

describe('a recorded thread', () => {
  it('is shown as far as it was played, entry by entry', async () => {
    const box = await show();
    await shows(box, '0 live');
    await recorded.play('text.delta');
    await shows(box, '2 Which live');
    await recorded.play(({ type }) => type === 'interrupt.opened');
    await shows(box, '2 Which style?|#openlive');
    await recorded.play();
    await shows(box, '2 Which style?|#|Ink it is.live');
  });

  it('a reload shows the form again, and a second page that answers later is refused', async () => {
    const first = await show();
    await recorded.play('run.interrupted');
    const second = await show(recorded.openPage());
    await shows(second, '2 Which style?|#openlive');
    press(first, 'form');
    await shows(first, '2 Which style?|#live');
    press(second, 'form');
    await shows(second, '2 Which style?|#live');
    expect(recorded.answers).toMatchObject([
      { interruptId: 'int_1', answer: { type: 'submit', value: { style: 'ink' } } },
    ]);
  });

  it('what is played while pages are disconnected comes once, after they are back; an answer waits meanwhile', async () => {
    const box = await show();
    await recorded.play('run.interrupted');
    await shows(box, '2 Which style?|#openlive');
    recorded.disconnect();
    press(box, 'form');
    await shows(box, '2 Which style?|#queuedreconnecting');
    expect(recorded.answers).toEqual([]);
    recorded.reconnect();
    await eventually(() => expect(recorded.answers).toHaveLength(1));
    recorded.disconnect();
    await recorded.play();
    recorded.reconnect();
    await shows(box, '2 Which style?|#|Ink it is.live');
  });

  it('a message that is sent starts the next recorded run; without one it is refused', async () => {
    const box = await show();
    press(box, 'send');
    await shows(box, '2 live');
    expect(recorded.sends).toMatchObject([{ input: { text: 'go' } }]);
    await recorded.play();
    press(box, 'send');
    await eventually(() =>
      expect(recorded.plinth.thread('thr_1').getSnapshot().error).toMatchObject({ code: 'recording_ended' }),
    );
  });

  it('of another format is refused', () => {
    expect(() => createRecordedPlinth({ ...recording, format: 2 })).toThrow('Record the thread again');
  });

  it('has no entry behind its end, and says so', async () => {
    await expect(recorded.play('tool.failed')).rejects.toThrow('no further entry "tool.failed"');
    expect(await recorded.play()).toBeNull();
  });
});
