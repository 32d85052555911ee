import type { Conversation, RunRecord, RunState } from '../runs/run.js';
import { isSettled } from '../tools/call-step.js';

/**
 * A snapshot in its two kinds of field. Segment 0 holds the conversation before the run, segment k+1 the turn k
 * with its calls, written once when the turn is sealed (its calls have all ended, so it cannot change). The head
 * holds the rest. So what a suspension writes depends on what is new, not on the length of the history.
 */
export const SNAPSHOT_FORMAT = 2;

type Part = Omit<RunRecord, 'run'>;

export interface SnapshotHead extends RunRecord {
  format: typeof SNAPSHOT_FORMAT;
  sealedTurns: number;
}

/** How many turns, from the first, can no longer change. */
export function sealedTurnCount(state: RunState): number {
  const open = state.calls.filter((call) => !isSettled(call)).map((call) => call.turnIndex);
  return Math.min(state.turns.length, ...open);
}

function partOf(state: RunRecord, within: (turn: number) => boolean): Part {
  const calls = state.calls.filter((call) => within(call.turnIndex));
  const ids = new Set<string>(calls.map((call) => call.id));
  return {
    turns: state.turns.filter((turn) => within(turn.index)),
    calls,
    interrupts: state.interrupts.filter((interrupt) => ids.has(interrupt.callId)),
    artifacts: state.artifacts.filter((artifact) => artifact.callId !== null && ids.has(artifact.callId)),
  };
}

/** The texts to write: the head, and the segments from number `fromSegment` on. */
export function splitSnapshot(
  state: RunState,
  fromSegment: number,
): { head: string; segments: Map<number, string> } {
  const sealedTurns = sealedTurnCount(state);
  const segments = new Map<number, string>();
  const { history, inheritedCut } = state;
  if (fromSegment === 0) segments.set(0, JSON.stringify({ history, inheritedCut } satisfies Conversation));
  for (let turn = Math.max(0, fromSegment - 1); turn < sealedTurns; turn += 1) {
    segments.set(turn + 1, JSON.stringify(partOf(state, (index) => index === turn)));
  }
  const head: SnapshotHead = {
    format: SNAPSHOT_FORMAT,
    sealedTurns,
    run: state.run,
    ...partOf(state, (index) => index >= sealedTurns),
  };
  return { head: JSON.stringify(head), segments };
}

/**
 * Puts a snapshot together again. Null when a segment is missing or the format is another: a cache miss.
 *
 * @throws SyntaxError when a text is not JSON; the caller counts it as a miss
 */
export function joinSnapshot(headText: string, segments: ReadonlyMap<number, string>): RunState | null {
  const head = JSON.parse(headText) as SnapshotHead;
  const conversation = segments.get(0);
  if (head.format !== SNAPSHOT_FORMAT || conversation === undefined) return null;
  const parts: Part[] = [];
  for (let turn = 0; turn < head.sealedTurns; turn += 1) {
    const text = segments.get(turn + 1);
    if (text === undefined) return null;
    parts.push(JSON.parse(text) as Part);
  }
  parts.push(head);
  return {
    run: head.run,
    ...(JSON.parse(conversation) as Conversation),
    turns: parts.flatMap((part) => part.turns),
    calls: parts.flatMap((part) => part.calls),
    interrupts: parts.flatMap((part) => part.interrupts),
    artifacts: parts.flatMap((part) => part.artifacts),
  };
}

/** Lays the rows that the ledger holds from `fromTurn` on over what a snapshot said of them. The ledger wins. */
export function completeFromLedger(snapshot: RunState, tail: RunRecord, fromTurn: number): RunState {
  const kept = partOf(snapshot, (turn) => turn < fromTurn);
  return {
    run: tail.run,
    history: snapshot.history,
    inheritedCut: snapshot.inheritedCut,
    turns: [...kept.turns, ...tail.turns],
    calls: [...kept.calls, ...tail.calls],
    interrupts: [...kept.interrupts, ...tail.interrupts],
    artifacts: [...kept.artifacts, ...tail.artifacts],
  };
}
