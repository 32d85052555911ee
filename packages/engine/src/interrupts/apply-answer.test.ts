import type { ArtifactId, JsonObject } from '@plinth/protocol';
import { aCall, anInterrupt, aRemoteTool, aRun } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { Interrupt, StoredAnswer, StoredFile } from '../runs/run.js';
import { argumentsDigestOf } from '../tools/approvals.js';
import { applyAnswer } from './apply-answer.js';

const NOW = 4_000;
const call = aCall({ tool: 'job', argumentsRaw: '{"n":1}' });
const FILE: StoredFile = {
  title: 'Poster',
  kind: 'image',
  mimeType: 'image/png',
  storageKey: 'sha256/ab',
  sizeBytes: 3,
  sha256: 'ab',
};

const GATE: Partial<Interrupt> = {
  id: 'int_1' as Interrupt['id'],
  kind: 'confirmation',
  payload: { kind: 'confirmation', arguments: { n: 1 }, schema: {} },
};
const approvalOf = (values: JsonObject) => ({
  by: 'answer',
  interruptId: 'int_1',
  argumentsDigest: argumentsDigestOf(values),
});

function applied(answer: StoredAnswer | null) {
  const interrupt = anInterrupt({
    ...(answer?.type === 'approve' ? GATE : {}),
    callId: call.id,
    state: 'answered',
    answeredAt: 1,
    answer,
  });
  const tool = aRemoteTool('job', { result: { open: 'notify' } });
  const { changes, events } = applyAnswer({
    run: aRun(),
    call,
    tool,
    interrupt,
    others: [],
    now: NOW,
    reader: null,
    nextArtifactId: () => 'art_1' as ArtifactId,
  });
  expect(changes[0]).toEqual({
    type: 'interrupt.update',
    interruptId: interrupt.id,
    set: { consumedAt: NOW },
  });
  return { changes: changes.slice(1), events };
}

describe('what an answer means for its call', () => {
  it('an approval lets it go on, and is no result', () => {
    const { changes, events } = applied({ type: 'approve' });
    expect(changes).toEqual([
      {
        type: 'call.update',
        callId: call.id,
        set: { approvedAt: NOW, argumentsEdited: null, approval: approvalOf({ n: 1 }) },
      },
    ]);
    expect(events).toEqual([]);
  });

  it('an approval with an edit takes the place of the arguments, and shows them', () => {
    const { changes, events } = applied({ type: 'approve', arguments: { n: 2 } });
    expect(changes).toMatchObject([
      { set: { approvedAt: NOW, argumentsEdited: '{"n":2}', approval: approvalOf({ n: 2 }) } },
    ]);
    expect(events).toMatchObject([{ type: 'tool.started', callId: call.id, arguments: { n: 2 } }]);
  });

  it('a decline, with and without a reason', () => {
    expect(applied({ type: 'decline', reason: 'no' }).events).toEqual([
      { type: 'tool.declined', callId: call.id, reason: 'no' },
    ]);
    expect(applied({ type: 'decline' }).events).toEqual([
      { type: 'tool.declined', callId: call.id, reason: null },
    ]);
  });

  it('a submission is the result, for the model only', () => {
    expect(applied({ type: 'submit', value: { a: 1 } }).changes).toMatchObject([
      { set: { status: 'succeeded', resultText: '{"a":1}', visibility: 'shadow' } },
    ]);
  });

  it('the passing of time', () => {
    expect(applied({ type: 'expired' }).events).toMatchObject([
      { type: 'tool.failed', status: 'expired', error: { code: 'wait_expired' } },
    ]);
  });

  it('a callback that succeeded brings its result and its files, opened as the tool says', () => {
    const { changes, events } = applied({
      type: 'callback',
      outcome: { ok: true, result: 'done', files: [FILE] },
    });
    expect(changes).toMatchObject([
      {
        type: 'artifact.create',
        artifact: { id: 'art_1', callId: call.id, open: 'notify', storageKey: 'sha256/ab' },
      },
      { set: { status: 'succeeded', artifactIds: ['art_1'] } },
    ]);
    expect(events.map(({ type }) => type)).toEqual(['artifact.created', 'tool.result']);
  });

  it('a callback that failed', () => {
    const error = { code: 'no_ink', message: 'There is no ink.' };
    expect(applied({ type: 'callback', outcome: { ok: false, error } }).events).toEqual([
      { type: 'tool.failed', callId: call.id, status: 'failed', error },
    ]);
  });

  it('no answer at all is a bug', () => {
    expect(() => applied(null)).toThrow('without an answer');
  });
});
