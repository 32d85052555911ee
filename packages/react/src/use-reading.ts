import { PlinthClientError } from '@plinth/client';
import { useCallback, useEffect, useState } from 'react';

export type Reading<T> = {
  /** Null while it is read. */
  value: T | null;
  error: PlinthClientError | null;
  /** Reads it again. What is there stays until then. */
  refresh(): void;
};

type Result<T> = Omit<Reading<T>, 'refresh'> & { key: string };

/**
 * Reads something once for each key, and again when asked to.
 *
 * @param key names what is read; null: nothing is
 * @param read the same function as long as the key is the same
 */
export function useReading<T>(key: string | null, read: (signal: AbortSignal) => Promise<T>): Reading<T> {
  const [asked, setAsked] = useState(0);
  const [result, setResult] = useState<Result<T> | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a refresh repeats the same reading
  useEffect(() => {
    if (key === null) return;
    const left = new AbortController();
    const show = (next: Omit<Result<T>, 'key'>) => left.signal.aborted || setResult({ key, ...next });
    read(left.signal).then(
      (value) => show({ value, error: null }),
      (error: unknown) => show({ value: null, error: PlinthClientError.isInstance(error) ? error : null }),
    );
    return () => left.abort();
  }, [key, read, asked]);

  const refresh = useCallback(() => setAsked((count) => count + 1), []);
  const { value, error } = result !== null && result.key === key ? result : { value: null, error: null };
  return { value, error, refresh };
}
