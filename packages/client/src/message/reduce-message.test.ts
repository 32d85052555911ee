import type { EventBody, MessageView } from '@plinth/protocol';
import { describe, expect, it } from 'vitest';
import {
  AT,
  aCall,
  aComponentInterrupt,
  anArtifact,
  anEntry,
  runFinished,
  textDelta,
  toolStarted,
} from '../../testing/log-builder.js';
import { emptyMessageView } from './empty-message-view.js';
import { reduceMessage } from './reduce-message.js';

const EMPTY = emptyMessageView('msg_1', 'run_1');

const after = (...bodies: EventBody[]): MessageView =>
  bodies.reduce((view, body) => reduceMessage(view, anEntry(body)), EMPTY);

const opened: EventBody = { type: 'interrupt.opened', interrupt: aComponentInterrupt() };
const answered: EventBody = {
  type: 'interrupt.answered',
  interruptId: 'int_1',
  by: { kind: 'end_user', id: 'ada' },
};
const closed: EventBody = { type: 'interrupt.closed', interruptId: 'int_1', why: 'superseded' };

describe('the run', () => {
  it('goes from started over interrupted, answered and resumed to running again', () => {
    const steps: [EventBody, string][] = [
      [{ type: 'run.started', agent: 'poster', agentVersion: 1 }, 'running'],
      [opened, 'running'],
      [{ type: 'run.interrupted', interruptIds: ['int_1'] }, 'interrupted'],
      [answered, 'queued'],
      [{ type: 'run.resumed' }, 'running'],
    ];
    let view = EMPTY;
    for (const [body, status] of steps) {
      view = reduceMessage(view, anEntry(body));
      expect(view.status).toBe(status);
    }
  });

  it('an answer before the run is parked does not queue it; an expired wait does, another closing does not', () => {
    const parked: EventBody = { type: 'run.interrupted', interruptIds: ['int_1'] };
    expect(after({ type: 'run.resumed' }, opened, answered).status).toBe('running');
    expect(after(opened, parked, { ...closed, why: 'expired' } as EventBody).status).toBe('queued');
    expect(after(opened, parked, closed).status).toBe('interrupted');
  });

  it('a turn shows that it works, whoever took it up', () => {
    expect(after({ type: 'turn.started', turn: 0, of: 24 }).status).toBe('running');
  });

  it('keeps the reason, the usage and the error of its end', () => {
    const error = { code: 'model_error', message: 'The model did not answer.' };
    const end: EventBody = { ...runFinished('failed'), reason: 'model_error', error } as EventBody;
    expect(after(end)).toMatchObject({
      status: 'failed',
      reason: 'model_error',
      error,
      usage: { inputTokens: 9 },
    });
  });

  it('never changes after its end, but for a snapshot', () => {
    const ended = after(runFinished());
    expect(reduceMessage(ended, anEntry({ type: 'run.resumed' }))).toBe(ended);
    expect(reduceMessage(ended, anEntry(textDelta(0, 0, 'late')))).toBe(ended);
    const message = { ...EMPTY, status: 'running' } as const;
    expect(reduceMessage(ended, { type: 'snapshot', message })).toBe(message);
  });

  it('leaves the partial text of a cancelled run in place, as final', () => {
    expect(after(textDelta(0, 0, 'Half a'), runFinished('cancelled')).parts).toEqual([
      { type: 'text', turn: 0, text: 'Half a', done: true },
    ]);
  });

  it('shows the usage of the whole run so far', () => {
    const total = { inputTokens: 30, cachedInputTokens: 20, outputTokens: 4 };
    expect(after({ type: 'usage', turn: 1, usage: { ...total, inputTokens: 10 }, total }).usage).toEqual(
      total,
    );
  });
});

describe.each(['text', 'reasoning'] as const)('%s', (type) => {
  const delta = (turn: number, from: number, text: string): EventBody => ({
    type: `${type}.delta`,
    turn,
    from,
    text,
  });

  it('grows by its pieces', () => {
    expect(after(delta(0, 0, 'Hel'), delta(0, 3, 'lo')).parts).toEqual([
      { type, turn: 0, text: 'Hello', done: false },
    ]);
  });

  it('takes from an overlapping piece only what is new', () => {
    expect(after(delta(0, 0, 'Hello'), delta(0, 3, 'lo you')).parts).toMatchObject([{ text: 'Hello you' }]);
    const whole = after(delta(0, 0, 'Hello'));
    expect(reduceMessage(whole, anEntry(delta(0, 1, 'ell')))).toBe(whole);
  });

  it('does not guess what is missing before a piece', () => {
    const start = after(delta(0, 0, 'Hel'));
    expect(reduceMessage(start, anEntry(delta(0, 4, 'o')))).toBe(start);
  });

  it('is replaced by the whole text when that comes', () => {
    expect(after(delta(0, 0, 'Helo'), { type: `${type}.done`, turn: 0, text: 'Hello' }).parts).toEqual([
      { type, turn: 0, text: 'Hello', done: true },
    ]);
  });

  it('has no part when a turn says nothing', () => {
    expect(after(delta(0, 0, ''), { type: `${type}.done`, turn: 0, text: '' }).parts).toEqual([]);
    expect(after(delta(0, 0, 'x'), { type: `${type}.done`, turn: 0, text: '' }).parts).toEqual([]);
  });

  it('is withdrawn by a reset of its turn only, and starts again', () => {
    const both = after(delta(0, 0, 'first'), delta(1, 0, 'second'), {
      type: 'message.reset',
      turn: 1,
      why: 'crash',
    });
    expect(both.parts).toMatchObject([{ turn: 0, text: 'first' }]);
    expect(reduceMessage(both, anEntry(delta(1, 0, 'again'))).parts).toMatchObject([
      { text: 'first' },
      { text: 'again' },
    ]);
  });
});

describe('a tool call', () => {
  it('stands in its turn behind the text', () => {
    const view = after(toolStarted('tc_1'), textDelta(0, 0, 'Let me see'));
    expect(view.calls).toEqual([aCall()]);
    expect(view.parts).toMatchObject([{ type: 'text' }, { type: 'tool', callId: 'tc_1' }]);
  });

  it('shows edited arguments when it starts again after a confirmation', () => {
    const again = { ...toolStarted('tc_1'), arguments: { count: 2 } } as EventBody;
    expect(after(toolStarted('tc_1'), again).calls).toEqual([aCall({ arguments: { count: 2 } })]);
  });

  it('that has ended never starts again', () => {
    const ended = after(toolStarted('tc_1'), { type: 'tool.declined', callId: 'tc_1', reason: null });
    expect(reduceMessage(ended, anEntry(toolStarted('tc_1')))).toBe(ended);
  });

  it('shows its progress until it ends', () => {
    const progress: EventBody = { type: 'tool.progress', callId: 'tc_1', progress: 0.5, message: 'drawing' };
    const running = after(toolStarted('tc_1'), progress);
    expect(running.calls[0]?.progress).toEqual({ value: 0.5, message: 'drawing' });
    const result: EventBody = {
      type: 'tool.result',
      callId: 'tc_1',
      summary: 'done',
      artifactIds: ['art_1'],
      visibility: 'shadow',
    };
    const ended = reduceMessage(running, anEntry(result));
    expect(ended.calls).toEqual([
      aCall({ status: 'succeeded', summary: 'done', artifactIds: ['art_1'], visibility: 'shadow' }),
    ]);
    expect(reduceMessage(ended, anEntry(progress))).toBe(ended);
  });

  it.each(['failed', 'expired', 'cancelled', 'superseded', 'unknown'] as const)(
    'ends as %s with its error',
    (status) => {
      const error = { code: 'x', message: 'broke' };
      expect(
        after(toolStarted('tc_1'), { type: 'tool.failed', callId: 'tc_1', status, error }).calls,
      ).toEqual([aCall({ status, error })]);
    },
  );

  it('keeps the reason of a decline', () => {
    const declined: EventBody = { type: 'tool.declined', callId: 'tc_1', reason: 'too dear' };
    expect(after(toolStarted('tc_1'), declined).calls).toEqual([
      aCall({ status: 'declined', summary: 'too dear' }),
    ]);
  });

  it('is not made up from an event about a call that never started', () => {
    expect(after({ type: 'tool.declined', callId: 'tc_9', reason: null })).toBe(EMPTY);
  });
});

describe('an interrupt', () => {
  it('opens with what its form needs', () => {
    expect(after(opened).interrupts).toEqual([aComponentInterrupt()]);
  });

  it('shows who answered and when', () => {
    const by = { kind: 'end_user', id: 'ada' };
    expect(after(opened, answered).interrupts).toMatchObject([
      { state: 'answered', answeredBy: by, answeredAt: AT },
    ]);
  });

  it('shows why it closed', () => {
    expect(after(opened, closed).interrupts).toMatchObject([{ state: 'closed', closedWhy: 'superseded' }]);
  });

  it('never opens again, and its first ending stays', () => {
    const first = after(opened, answered);
    expect(reduceMessage(first, anEntry(opened))).toBe(first);
    expect(reduceMessage(first, anEntry(closed))).toBe(first);
    const second = after(opened, closed);
    expect(reduceMessage(second, anEntry(answered))).toBe(second);
  });

  it('that is not known is not made up', () => {
    expect(after(answered, closed)).toBe(EMPTY);
  });
});

describe('an artifact', () => {
  it('is added once, in its newest version', () => {
    const created = (version: number): EventBody => ({
      type: 'artifact.created',
      artifact: anArtifact({ version }),
    });
    expect(after(created(1), created(2), created(1)).artifacts).toEqual([anArtifact({ version: 2 })]);
  });
});

describe('what changes nothing', () => {
  it.each<EventBody>([
    { type: 'notice', code: 'context_compacted', message: 'The context was compacted.' },
    { type: 'type.of.a.newer.server' } as unknown as EventBody,
  ])('$type gives back the same object', (body) => {
    expect(reduceMessage(EMPTY, anEntry(body))).toBe(EMPTY);
  });

  it('a gap waits for its snapshot', () => {
    expect(reduceMessage(EMPTY, { type: 'gap', from: '1-1', to: '1-9' })).toBe(EMPTY);
  });
});
