'use client';
import type { PlinthClientError, RunContext } from '@plinth/client';
import { useCallback } from 'react';
import { usePlinth } from './plinth-provider.js';
import { useReading } from './use-reading.js';

export type RunContextHandle = {
  /** Null while it is read. */
  context: RunContext | null;
  /** `forbidden`: the session token has not the scope `debug`. */
  error: PlinthClientError | null;
  /** Reads it again: a run that goes on has more turns by then. */
  refresh(): void;
};

/** What the model was sent in the turns of a run. For people who look after an agent. */
export function useRunContext(runId: string | null): RunContextHandle {
  const plinth = usePlinth();
  const read = useCallback(
    (signal: AbortSignal) => plinth.runContext(runId ?? '', { signal }),
    [plinth, runId],
  );
  const { value, error, refresh } = useReading(runId, read);
  return { context: value, error, refresh };
}
