import type { ArtifactView } from '@plinth/protocol';
import { useState } from 'react';

export type OpenArtifact = { openId: string | null; open: (artifactId: string) => void };

/**
 * Which artifact is open. A new one with the policy `auto` opens by itself, once; after that the person's
 * choice stands until the next new one. `scope` is the thread: another thread starts afresh.
 */
export function useOpenArtifact(artifacts: readonly ArtifactView[], scope: string | null): OpenArtifact {
  const newest = artifacts.find((artifact) => artifact.open === 'auto')?.id ?? null;
  const [seen, setSeen] = useState({ scope, newest });
  const [chosen, setChosen] = useState<string | null>(newest);
  if (seen.scope !== scope || seen.newest !== newest) {
    setSeen({ scope, newest });
    setChosen(newest);
  }
  const openId = artifacts.some((artifact) => artifact.id === chosen) ? chosen : null;
  return { openId, open: setChosen };
}
