import type { JsonValue, RunError, ToolCallStatus } from '@plinth/protocol';
import type { Artifact, ToolCall } from '../runs/run.js';

/**
 * What the model reads as the result of a call. JSON text with a stable key order, made once and stored:
 * later requests repeat it byte for byte.
 */

const ADVICE: Record<Exclude<ToolCallStatus, 'pending' | 'started' | 'succeeded'>, string> = {
  failed: 'Tell the user what went wrong; call again only if the error says how.',
  declined: 'The user said no. Do not call it again unless the user asks; go on without it.',
  expired: 'Nobody answered in time. Ask the user whether to try again.',
  cancelled: 'The run was cancelled before this call ended.',
  superseded: 'The user wrote a new message instead of answering. Follow the new message.',
  unknown: 'It is not known whether this took effect. Do not repeat it; ask the user to check.',
};

export function submittedText(value: JsonValue): string {
  return JSON.stringify(value);
}

export function succeededText(call: ToolCall, value: JsonValue, artifacts: readonly Artifact[]): string {
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
          artifactNote: 'The user sees these artifacts beside the chat already.',
        };
  return JSON.stringify({ result: value, ...products, ...edited });
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
  status: keyof typeof ADVICE,
  error: RunError | null,
  reason: string | null = null,
): string {
  return JSON.stringify({
    status,
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
    ...(reason === null ? {} : { reason }),
    advice: ADVICE[status],
  });
}
