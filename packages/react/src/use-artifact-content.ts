'use client';
import { type ArtifactContent, PlinthClientError } from '@plinth/client';
import { useCallback, useEffect, useState } from 'react';
import { usePlinth } from './plinth-provider.js';

export type ArtifactContentHandle = {
  /** With a signed URL that works for some minutes; null while it is read. */
  content: ArtifactContent | null;
  error: PlinthClientError | null;
  /** Asks for a new URL, for example when an `<img>` reports that the old one is refused. */
  renew(): void;
};

type Result = { key: string; content: ArtifactContent | null; error: PlinthClientError | null };

/**
 * The content of an artifact; reads it again when a new `version` is passed.
 *
 * @param options `exact`: of that version, also when there is a newer one
 */
export function useArtifactContent(
  artifactId: string | null,
  version?: number,
  { exact = false }: { exact?: boolean } = {},
): ArtifactContentHandle {
  const plinth = usePlinth();
  const [renewals, setRenewals] = useState(0);
  const [result, setResult] = useState<Result | null>(null);
  const key = `${artifactId} ${version}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a renewal repeats the same reading
  useEffect(() => {
    if (artifactId === null) return;
    let isCurrent = true;
    const show = (next: Omit<Result, 'key'>) => isCurrent && setResult({ key, ...next });
    plinth.artifact(artifactId, exact && version !== undefined ? { version } : {}).then(
      (content) => show({ content, error: null }),
      (error: unknown) => show({ content: null, error: PlinthClientError.isInstance(error) ? error : null }),
    );
    return () => {
      isCurrent = false;
    };
  }, [plinth, artifactId, key, exact, renewals]);

  const renew = useCallback(() => setRenewals((count) => count + 1), []);
  // What belongs to the artifact before is not shown for this one, not even for one frame.
  const { content, error } = result?.key === key ? result : { content: null, error: null };
  return { content, error, renew };
}
