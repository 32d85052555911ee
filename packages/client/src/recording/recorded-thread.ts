import type { StreamEntry, ThreadMessage } from '@plinth/protocol';

/** One question, and the whole event log of its answer. */
export type RecordedRun = {
  readonly question: Extract<ThreadMessage, { role: 'user' }>;
  readonly messageId: string;
  readonly runId: string;
  readonly entries: readonly StreamEntry[];
};

/** A thread as it happened: plain JSON, to be kept beside the tests that replay it. */
export type RecordedThread = {
  readonly format: 1;
  readonly threadId: string;
  readonly runs: readonly RecordedRun[];
};

/** A recording as TypeScript sees a JSON file. */
export type AnyRecording = {
  readonly format: number;
  readonly threadId: string;
  readonly runs: readonly object[];
};

/** Throws when the recording is of another version of this package. */
export function checkRecording(recording: AnyRecording): RecordedThread {
  if (recording.format !== 1)
    throw new Error(`This recording has the format ${recording.format}, not 1. Record the thread again.`);
  return recording as RecordedThread;
}
