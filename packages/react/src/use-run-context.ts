'use client';
import { PlinthClientError, type RunContext } from '@plinth/client';
import { useCallback, useEffect, useState } from 'react';
import { usePlinth } from './plinth-provider.js';

export type RunContextHandle = {
  /** Null while it is read. */
  context: RunContext | null;
  /** `forbidden`: the session token has not the scope `debug`. */
  error: PlinthClientError | null;
  /** Reads it again: a run that goes on has more turns by then. */
  refresh(): void;
};

type Result = Omit<RunContextHandle, 'refresh'> & { runId: string };

/** What the model was sent in the turns of a run. For people who look after an agent. */
export function useRunContext(runId: string | null): RunContextHandle {
  const plinth = usePlinth();
  const [asked, setAsked] = useState(0);
  const [result, setResult] = useState<Result | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a refresh repeats the same reading
  useEffect(() => {
    if (runId === null) return;
    const left = new AbortController();
    const show = (next: Omit<Result, 'runId'>) => left.signal.aborted || setResult({ runId, ...next });
    plinth.runContext(runId, { signal: left.signal }).then(
      (context) => show({ context, error: null }),
      (error: unknown) => show({ context: null, error: PlinthClientError.isInstance(error) ? error : null }),
    );
    return () => left.abort();
  }, [plinth, runId, asked]);

  const refresh = useCallback(() => setAsked((count) => count + 1), []);
  const { context, error } = result?.runId === runId ? result : { context: null, error: null };
  return { context, error, refresh };
}
