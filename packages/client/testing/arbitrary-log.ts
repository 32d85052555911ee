import type { EventBody, StreamEntry } from '@plinth/protocol';
import fc from 'fast-check';
import {
  aComponentInterrupt,
  anArtifact,
  aQuestion,
  runFinished,
  toEntries,
  toolStarted,
} from './log-builder.js';

/** Text as people write it: CJK, emoji of several code units, line breaks. */
const piece = fc.string({ unit: fc.constantFrom('a', 'é', '茶', '🍵', '👩‍🎨', '\n', ' '), maxLength: 6 });
const pieces = fc.array(piece, { maxLength: 5 });

type Text = { pieces: string[]; isDone: boolean };

function streamed(kind: 'text' | 'reasoning', turn: number, { pieces, isDone }: Text): EventBody[] {
  let from = 0;
  const deltas = pieces.map((part): EventBody => {
    const delta: EventBody = { type: `${kind}.delta`, turn, from, text: part };
    from += part.length;
    return delta;
  });
  return isDone ? [...deltas, { type: `${kind}.done`, turn, text: pieces.join('') }] : deltas;
}

type Ending = 'running' | 'result' | 'failed' | 'declined' | 'answered' | 'asked' | 'closed' | 'open';
const ending = fc.constantFrom<Ending>(
  'running',
  'result',
  'failed',
  'declined',
  'answered',
  'asked',
  'closed',
  'open',
);
const tool = fc.record({
  ending,
  progress: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 2 }),
});

type ToolScript = { ending: Ending; progress: number[] };

function called(turn: number, index: number, script: ToolScript): EventBody[] {
  const callId = `tc_${turn}_${index}`;
  const interruptId = `int_${turn}_${index}`;
  const opened: EventBody[] = [
    { type: 'interrupt.opened', interrupt: aComponentInterrupt({ id: interruptId, callId }) },
    { type: 'run.interrupted', interruptIds: [interruptId] },
  ];
  const result: EventBody = {
    type: 'tool.result',
    callId,
    summary: 'made',
    artifactIds: [`art_${callId}`],
    visibility: 'shadow',
  };
  const endings: Record<Ending, EventBody[]> = {
    running: [],
    open: opened,
    result: [{ type: 'artifact.created', artifact: anArtifact({ id: `art_${callId}`, callId }) }, result],
    failed: [{ type: 'tool.failed', callId, status: 'failed', error: { code: 'x', message: 'broke' } }],
    declined: [{ type: 'tool.declined', callId, reason: 'not now' }],
    answered: [
      ...opened,
      { type: 'interrupt.answered', interruptId, by: { kind: 'end_user', id: 'u1' } },
      { type: 'run.resumed' },
      result,
    ],
    // A lost job calls back while a person is asked whether it took effect.
    asked: [
      ...opened,
      { type: 'interrupt.opened', interrupt: aQuestion({ id: `${interruptId}_q`, callId }) },
      { type: 'interrupt.answered', interruptId, by: { kind: 'remote', id: 'callback' } },
      { type: 'interrupt.closed', interruptId: `${interruptId}_q`, why: 'settled' },
      { type: 'run.resumed' },
      result,
    ],
    closed: [...opened, { type: 'interrupt.closed', interruptId, why: 'expired' }, { type: 'run.resumed' }],
  };
  const progress = script.progress.map(
    (value): EventBody => ({ type: 'tool.progress', callId, progress: value, message: null }),
  );
  return [toolStarted(callId, turn), ...progress, ...endings[script.ending]];
}

const noise: EventBody[] = [
  { type: 'notice', code: 'context_compacted', message: '' },
  { type: 'later.type' } as unknown as EventBody,
];

type TurnScript = { withdrawn: Text | null; reasoning: Text; text: Text; tools: ToolScript[] };

function turnBodies({ withdrawn, reasoning, text, tools }: TurnScript, turn: number): EventBody[] {
  const total = { inputTokens: turn, cachedInputTokens: 0, outputTokens: turn * 2 };
  return [
    { type: 'turn.started', turn, of: 24 },
    ...(withdrawn ? streamed('text', turn, withdrawn) : []),
    ...(withdrawn ? [{ type: 'message.reset', turn, why: 'crash' } as const] : []),
    ...streamed('reasoning', turn, reasoning),
    ...streamed('text', turn, text),
    ...tools.flatMap((script, place) => called(turn, place, script)),
    { type: 'usage', turn, usage: total, total },
    ...noise,
  ];
}

/** The log of a run as the server may write it: turns, withdrawn attempts, tools, waits, an end or none yet. */
export function arbitraryLogOf({ isAlwaysDone }: { isAlwaysDone: boolean }): fc.Arbitrary<StreamEntry[]> {
  const text = fc.record({ pieces, isDone: isAlwaysDone ? fc.constant(true) : fc.boolean() });
  const withdrawn = fc.option(fc.record({ pieces, isDone: fc.boolean() }));
  const tools = fc.array(tool, { maxLength: 3 });
  const turns = fc.array(fc.record({ withdrawn, reasoning: text, text, tools }), {
    minLength: 1,
    maxLength: 4,
  });
  return fc.record({ turns, isFinished: fc.boolean() }).map(({ turns, isFinished }) => {
    const start: EventBody = { type: 'run.started', agent: 'poster', agentVersion: 1 };
    return toEntries([start, ...turns.flatMap(turnBodies), ...(isFinished ? [runFinished()] : [])]);
  });
}

/** Also with texts that break off without being done. */
export const arbitraryLog = arbitraryLogOf({ isAlwaysDone: false });
