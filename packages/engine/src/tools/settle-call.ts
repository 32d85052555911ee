import type {
  EventBody,
  InterruptClosedWhy,
  JsonValue,
  RunError,
  ToolCallStatus,
  ToolDefinition,
  Visibility,
} from '@plinth/protocol';
import { toArtifactView } from '../artifacts/artifact-view.js';
import type { Decision } from '../runs/ledger-change.js';
import type { Artifact, Interrupt, ToolCall } from '../runs/run.js';
import {
  confirmedText,
  noticedText,
  type ResultNotes,
  submittedText,
  succeededText,
  unsuccessfulText,
} from './result-text.js';

/** Decisions that give a call its one result. */

/**
 * @param value what the model reads of the result
 * @param artifacts what the tool produced
 * @param notes what else is to be said of the result; nothing when it is whole
 */
export function succeedCall(
  call: ToolCall,
  value: JsonValue,
  artifacts: readonly Artifact[],
  now: number,
  enabledTools: ToolDefinition[] | null = null,
  notes?: ResultNotes,
): Decision {
  const summary = summaryOf(notes?.summary ?? value);
  const all = notes?.full ? [...artifacts, notes.full] : artifacts;
  const artifactIds = all.map((artifact) => artifact.id);
  return {
    changes: [
      ...all.map((artifact) => ({ type: 'artifact.create' as const, artifact })),
      {
        type: 'call.update',
        callId: call.id,
        set: {
          status: 'succeeded',
          finishedAt: now,
          resultText: succeededText(call, value, artifacts, notes),
          summary,
          artifactIds,
          ...(enabledTools === null ? {} : { enabledTools }),
          ...(notes === undefined || notes.images.length === 0 ? {} : { images: notes.images }),
        },
      },
    ],
    events: [
      ...all.map((artifact): EventBody => ({ type: 'artifact.created', artifact: toArtifactView(artifact) })),
      { type: 'tool.result', callId: call.id, summary, artifactIds, visibility: call.visibility },
    ],
  };
}

/** A component's submission is the result itself: read once by the model, not repeated in the chat. */
export function submitCall(call: ToolCall, value: JsonValue, now: number): Decision {
  const visibility: Visibility = 'shadow';
  return {
    changes: [
      {
        type: 'call.update',
        callId: call.id,
        set: { status: 'succeeded', finishedAt: now, resultText: submittedText(value), visibility },
      },
    ],
    events: [{ type: 'tool.result', callId: call.id, summary: null, artifactIds: [], visibility }],
  };
}

/** A person says that the call took effect: it has succeeded, and nobody knows what it returned. */
export function confirmCall(call: ToolCall, note: string | null, now: number): Decision {
  return {
    changes: [
      {
        type: 'call.update',
        callId: call.id,
        set: { status: 'succeeded', finishedAt: now, resultText: confirmedText(note), summary: note },
      },
    ],
    events: [
      { type: 'tool.result', callId: call.id, summary: note, artifactIds: [], visibility: call.visibility },
    ],
  };
}

/** A person says that the call did not take effect: its receipt is void, and it is carried out as if for the first time. */
export function restartCall(call: ToolCall): Decision {
  const set = { status: 'pending', startedAt: null, startedFence: null, acceptedAt: null } as const;
  return { changes: [{ type: 'call.update', callId: call.id, set }], events: [] };
}

export function declineCall(call: ToolCall, reason: string | null, now: number): Decision {
  return {
    changes: [
      {
        type: 'call.update',
        callId: call.id,
        set: {
          status: 'declined',
          finishedAt: now,
          resultText: unsuccessfulText('declined', null, reason),
          summary: reason,
        },
      },
    ],
    events: [{ type: 'tool.declined', callId: call.id, reason }],
  };
}

export type Unsuccessful = Exclude<ToolCallStatus, 'pending' | 'started' | 'succeeded' | 'declined'>;

/** @param note what a person adds for the model */
export function failCall(
  call: ToolCall,
  status: Unsuccessful,
  error: RunError,
  now: number,
  note: string | null = null,
): Decision {
  return {
    changes: [
      {
        type: 'call.update',
        callId: call.id,
        set: { status, finishedAt: now, resultText: unsuccessfulText(status, error, note), error },
      },
    ],
    events: [{ type: 'tool.failed', callId: call.id, status, error }],
  };
}

/** Puts a word before the result that a decision gives a call, if it gives one. */
export function withNotice(decision: Decision, { id }: ToolCall, notice: string | null): Decision {
  if (notice === null) return decision;
  const changes = decision.changes.map((change) => {
    if (change.type !== 'call.update' || change.callId !== id || change.set.resultText == null) return change;
    return { ...change, set: { ...change.set, resultText: noticedText(notice, change.set.resultText) } };
  });
  return { ...decision, changes };
}

/** The mark that an answer has been turned into what it led to. */
export function consume(interrupt: Interrupt, now: number): Decision {
  return {
    changes: [{ type: 'interrupt.update', interruptId: interrupt.id, set: { consumedAt: now } }],
    events: [],
  };
}

/** Closes an open wait whose call ends without its answer. */
export function closeWait({ id }: Interrupt, why: InterruptClosedWhy): Decision {
  return {
    changes: [{ type: 'interrupt.update', interruptId: id, set: { state: 'closed', closedWhy: why } }],
    events: [{ type: 'interrupt.closed', interruptId: id, why }],
  };
}

const LONGEST_SUMMARY = 300;

function summaryOf(value: JsonValue): string | null {
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          typeof value.summary === 'string'
        ? value.summary
        : null;
  if (text === null || text.length <= LONGEST_SUMMARY) return text;
  // Not in the middle of a character: half of one is no valid text for the ledger.
  return `${text.slice(0, LONGEST_SUMMARY - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
