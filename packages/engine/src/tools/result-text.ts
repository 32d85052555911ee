import type { JsonValue, RunError, ToolCallStatus } from '@plinth/protocol';
import type { ImageRef } from '../images/image-ref.js';
import type { Artifact, ToolCall } from '../runs/run.js';
import { FAILURE_ADVICE, failureKindOf } from './tool-failures.js';

/**
 * What the model reads as the result of a call. JSON text with a stable key order, made once and stored:
 * later requests repeat it byte for byte.
 */

type Unsuccessful = Exclude<ToolCallStatus, 'pending' | 'started' | 'succeeded'>;

/** What a failure means is for its kind to say. */
const ADVICE: Record<Exclude<Unsuccessful, 'failed' | 'unknown'>, string> = {
  declined: 'The user said no. Do not call it again unless the user asks; go on without it.',
  expired: 'Nobody answered in time. Ask the user whether to try again.',
  cancelled: 'The run was cancelled before this call ended.',
  superseded: 'The user wrote a new message instead of answering. Follow the new message.',
};

function adviceOf(status: Unsuccessful, error: RunError | null): string {
  switch (status) {
    case 'failed':
      return FAILURE_ADVICE[error === null ? 'remote_error' : failureKindOf(error)];
    case 'unknown':
      return FAILURE_ADVICE.unknown_outcome;
    default:
      return ADVICE[status];
  }
}

export function submittedText(value: JsonValue): string {
  return JSON.stringify(value);
}

/** How the model reads a result of which it sees a part, or that is kept beside it. */
export interface ResultNotes {
  summary: string | null;
  cut: boolean;
  full: Artifact | null;
  /** Key of the agent's tool that reads artifacts; null when it has none. */
  reader: string | null;
  /** Pictures that the model sees behind the results of the turn. */
  images: ImageRef[];
}

const NO_NOTES: ResultNotes = { summary: null, cut: false, full: null, reader: null, images: [] };

function fullResultNote({ cut, full, reader }: ResultNotes): string | null {
  const how = reader === null ? 'which the user can open beside the chat' : `read it with \`${reader}\``;
  if (full !== null)
    return `${cut ? 'This is a summary; the' : 'The'} full result is artifact ${full.id}, ${how}.`;
  return cut ? 'This is a summary; the rest of the result was not kept.' : null;
}

export function succeededText(
  call: ToolCall,
  value: JsonValue,
  artifacts: readonly Artifact[],
  notes: ResultNotes = NO_NOTES,
): string {
  const edited =
    call.argumentsEdited === null
      ? {}
      : {
          note: 'The user changed the arguments before approving.',
          arguments: JSON.parse(call.argumentsEdited) as JsonValue,
        };
  const products =
    artifacts.length === 0
      ? {}
      : {
          artifacts: artifacts.map(({ id, kind, mimeType, title }) => ({ id, kind, mimeType, title })),
          artifactNote: `The user sees these artifacts beside the chat already.${notes.images.length === 0 ? '' : ' You see the pictures behind the results.'}`,
        };
  const about = fullResultNote(notes);
  return JSON.stringify({
    ...(about === null ? {} : { about }),
    ...(notes.summary === null ? {} : { summary: notes.summary }),
    result: value,
    ...products,
    ...edited,
  });
}

/** A result with a word before it. */
export function noticedText(notice: string, resultText: string): string {
  return `{"notice":${JSON.stringify(notice)},"result":${resultText}}`;
}

/** The result of a call that a person says took effect. What it returned was lost. */
export function confirmedText(note: string | null): string {
  return JSON.stringify({
    status: 'succeeded',
    confirmedBy: 'a person',
    message: 'A person has confirmed that this took effect. What it returned is not known. Do not repeat it.',
    ...(note === null ? {} : { note }),
  });
}

export function unsuccessfulText(
  status: Unsuccessful,
  error: RunError | null,
  reason: string | null = null,
): string {
  return JSON.stringify({
    status,
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
    ...(reason === null ? {} : { reason }),
    advice: adviceOf(status, error),
  });
}
