import type { StreamEntry } from '@plinth/protocol';
import { describe, expect, it } from 'vitest';
import { anEntry, runFinished, textDelta, toEntries } from '../../testing/log-builder.js';
import { emptyMessageView } from './empty-message-view.js';
import { foldEntries, type MessageLog } from './message-log.js';

const START: MessageLog = { view: emptyMessageView('msg_1', 'run_1'), cursor: null };

describe('foldEntries', () => {
  it('leaves out an entry that was read before', () => {
    const once = foldEntries(START, toEntries([textDelta(0, 0, 'a'), textDelta(0, 1, 'b')])).log;
    expect(foldEntries(once, toEntries([textDelta(0, 0, 'a')])).log).toBe(once);
  });

  it('an entry of a later epoch is new, though its number is lower', () => {
    const old = foldEntries(START, [anEntry(textDelta(0, 0, 'a'), 7)]).log;
    const { log } = foldEntries(old, [{ ...anEntry(textDelta(0, 1, 'b')), seq: '2-1' }]);
    expect(log).toMatchObject({ cursor: '2-1', view: { parts: [{ text: 'ab' }] } });
  });

  it('an entry without a readable place is not taken in', () => {
    expect(foldEntries(START, [{ ...anEntry(runFinished()), seq: '' }]).log).toBe(START);
  });

  it('stops before a hole, at the last good place', () => {
    const { log, hole } = foldEntries(
      START,
      toEntries([textDelta(0, 0, 'ab'), textDelta(0, 5, 'f'), runFinished()]),
    );
    expect(log).toMatchObject({ cursor: '1-1', view: { status: 'queued', parts: [{ text: 'ab' }] } });
    expect(hole?.seq).toBe('1-2');
  });

  it('passes over the pieces of a text whose hole stays, and takes in everything else', () => {
    const entries = toEntries([
      textDelta(0, 5, 'f'),
      { type: 'run.interrupted', interruptIds: ['int_1'] },
      { type: 'text.done', turn: 0, text: 'abcdef' },
    ]);
    const { log, hole } = foldEntries(START, entries, new Set(['text.delta 0']));
    expect(hole).toBeNull();
    expect(log).toMatchObject({
      cursor: '1-3',
      view: { status: 'interrupted', parts: [{ text: 'abcdef', done: true }] },
    });
  });

  it('a snapshot sets state and place, also back', () => {
    const far = foldEntries(START, [anEntry(textDelta(0, 0, 'abc'), 9)]).log;
    const snapshot: StreamEntry = { seq: '2-0', type: 'snapshot', message: START.view };
    const earlier: StreamEntry = { seq: '1-4', type: 'snapshot', message: START.view };
    expect(foldEntries(far, [snapshot]).log).toEqual({ view: START.view, cursor: '2-0' });
    expect(foldEntries(far, [earlier]).log).toEqual({ view: START.view, cursor: '1-4' });
  });

  it('a gap does not move the place: its snapshot may be lost with the connection', () => {
    const { log } = foldEntries({ ...START, cursor: '1-2' }, [
      { seq: '1-9', type: 'gap', from: '1-3', to: '1-9' },
    ]);
    expect(log.cursor).toBe('1-2');
  });

  it('folded pieces move the place past them and change nothing; the whole text follows', () => {
    const begun = foldEntries(START, [anEntry(textDelta(0, 0, 'ab'), 1)]).log;
    const folded: StreamEntry = { seq: '1-400', type: 'folded', from: '1-2', to: '1-400' };
    const past = foldEntries(begun, [folded]).log;
    expect(past).toEqual({ view: begun.view, cursor: '1-400' });
    const done = foldEntries(past, [anEntry({ type: 'text.done', turn: 0, text: 'abcdef' }, 401)]);
    expect(done.log.view.parts).toMatchObject([{ text: 'abcdef', done: true }]);
  });
});
