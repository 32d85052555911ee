import type { PlinthClientError } from '@plinth/client';
import type { ArtifactView } from '@plinth/protocol';
import { useCallback, useEffect, useState } from 'react';
import { usePlinth } from '../../plinth-provider.js';

/** Bytes of a text up to which it is shown and edited in the page. */
export const MOST_TEXT_BYTES = 32 * 1024 * 1024;

export type ArtifactText = { text: string | null; failed: boolean; retry: () => void };

type Loaded = { key: string; text: string | null };

/** A text that need not be read: this page has just saved it. */
export type KnownText = { version: number; text: string };

/** The text of one version of an artifact. Null while it is read, and when `artifact` is null. */
export function useArtifactText(artifact: ArtifactView | null, known: KnownText | null = null): ArtifactText {
  const plinth = usePlinth();
  const [tries, setTries] = useState(0);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const id = artifact?.id ?? null;
  const version = artifact?.version;
  const key = `${id} ${version} ${tries}`;
  const own = known !== null && known.version === version ? known.text : null;
  const isKnown = own !== null;

  useEffect(() => {
    if (id === null || version === undefined || isKnown) return;
    const abort = new AbortController();
    plinth
      .artifactBytes(id, { version, signal: abort.signal })
      .then((bytes) => bytes.text())
      .then(
        (text) => abort.signal.aborted || setLoaded({ key, text }),
        (_error: PlinthClientError) => abort.signal.aborted || setLoaded({ key, text: null }),
      );
    return () => abort.abort();
  }, [plinth, id, version, key, isKnown]);

  const retry = useCallback(() => setTries((count) => count + 1), []);
  // The text of the version before is not shown for this one.
  const read = loaded?.key === key ? loaded : null;
  return { text: own ?? read?.text ?? null, failed: !isKnown && read !== null && read.text === null, retry };
}
