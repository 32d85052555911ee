import { aCall, anArtifact, anInterrupt } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { closeWait, consume, declineCall, failCall, submitCall, succeedCall } from './settle-call.js';

const NOW = 1_000;
const call = aCall({ status: 'started' });

describe('the one result of a call', () => {
  it('a success: result text, summary, artifacts and events say the same', () => {
    const artifact = anArtifact({ callId: call.id });
    const { changes, events } = succeedCall(call, { summary: 'A poster' }, [artifact], NOW);
    expect(changes).toMatchObject([
      { type: 'artifact.create' },
      {
        type: 'call.update',
        set: { status: 'succeeded', finishedAt: NOW, summary: 'A poster', artifactIds: [artifact.id] },
      },
    ]);
    expect(events).toMatchObject([
      { type: 'artifact.created', artifact: { id: artifact.id } },
      { type: 'tool.result', summary: 'A poster', artifactIds: [artifact.id], visibility: 'chat' },
    ]);
    expect(events[0]).not.toHaveProperty('artifact.storageKey');
  });

  it('a long summary is cut, and never in the middle of a character', () => {
    for (const text of ['x'.repeat(400), '😀'.repeat(200), `x${'😀'.repeat(200)}`]) {
      const [change] = succeedCall(call, text, [], NOW).changes;
      const summary = change?.type === 'call.update' ? (change.set.summary ?? '') : '';
      expect(summary.length).toBeLessThanOrEqual(300);
      expect(summary.endsWith('…')).toBe(true);
      expect(Buffer.from(summary).toString()).toBe(summary);
    }
  });

  it('the model is told of edited arguments', () => {
    const [change] = succeedCall({ ...call, argumentsEdited: '{"n":2}' }, 1, [], NOW).changes;
    expect(change).toMatchObject({ set: { resultText: expect.stringContaining('"arguments":{"n":2}') } });
  });

  it('a submission is the result itself, for the model only', () => {
    const { changes, events } = submitCall(call, { b: 1, a: 'é' }, NOW);
    expect(changes).toMatchObject([
      { set: { status: 'succeeded', resultText: '{"b":1,"a":"é"}', visibility: 'shadow' } },
    ]);
    expect(events).toEqual([
      { type: 'tool.result', callId: call.id, summary: null, artifactIds: [], visibility: 'shadow' },
    ]);
  });

  it('a decline carries its reason to the model and to the readers', () => {
    const { changes, events } = declineCall(call, 'too dear', NOW);
    expect(changes).toMatchObject([
      {
        set: {
          status: 'declined',
          summary: 'too dear',
          resultText: expect.stringContaining('"reason":"too dear"'),
        },
      },
    ]);
    expect(events).toEqual([{ type: 'tool.declined', callId: call.id, reason: 'too dear' }]);
  });

  it.each(['failed', 'expired', 'cancelled', 'superseded', 'unknown'] as const)(
    '%s: the model is told what it is and what to do',
    (status) => {
      const error = { code: 'some_code', message: 'Some message.' };
      const { changes, events } = failCall(call, status, error, NOW);
      const [change] = changes;
      const text = change?.type === 'call.update' ? (change.set.resultText ?? '') : '';
      expect(JSON.parse(text)).toEqual({ status, error, advice: expect.stringMatching(/\w{3}/) });
      expect(events).toEqual([{ type: 'tool.failed', callId: call.id, status, error }]);
    },
  );

  it('a wait closes with its reason; an answer is marked as used', () => {
    const interrupt = anInterrupt();
    expect(closeWait(interrupt, 'cancelled')).toEqual({
      changes: [
        {
          type: 'interrupt.update',
          interruptId: interrupt.id,
          set: { state: 'closed', closedWhy: 'cancelled' },
        },
      ],
      events: [{ type: 'interrupt.closed', interruptId: interrupt.id, why: 'cancelled' }],
    });
    expect(consume(interrupt, NOW)).toEqual({
      changes: [{ type: 'interrupt.update', interruptId: interrupt.id, set: { consumedAt: NOW } }],
      events: [],
    });
  });
});
