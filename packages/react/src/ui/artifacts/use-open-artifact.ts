import type { ArtifactView, OpenPolicy } from '@plinth/protocol';
import { useEffect, useState } from 'react';

export type OpenArtifact = { openId: string | null; open: (artifactId: string) => void };

export type OpenArtifactOptions = {
  /** The host's word against the tool's: whether an artifact opens by itself. Default: what its tool says. */
  policy?: (artifact: ArtifactView) => OpenPolicy;
};

const PREFIX = 'plinth.open.';

/**
 * Which artifact is open. A new one with the policy `auto` opens by itself, once; after that the person's
 * choice stands until the next new one, and over a reload. `scope` is the thread: another thread starts afresh.
 */
export function useOpenArtifact(
  artifacts: readonly ArtifactView[],
  scope: string | null,
  { policy = policyOfTool }: OpenArtifactOptions = {},
): OpenArtifact {
  const newest = artifacts.find((artifact) => policy(artifact) === 'auto')?.id ?? null;
  const [seen, setSeen] = useState({ scope, newest });
  const [chosen, setChosen] = useState<string | null>(newest);
  if (seen.scope !== scope || seen.newest !== newest) {
    setSeen({ scope, newest });
    setChosen(newest);
  }
  // The page before this one, of the same tab: what was open in it is open again, when nothing new has come since.
  useEffect(() => {
    const stored = scope === null ? null : readChoice(scope);
    if (stored !== null && stored.newest === newest) setChosen(stored.chosen);
  }, [scope, newest]);
  const open = (artifactId: string) => {
    setChosen(artifactId);
    if (scope !== null) writeChoice(scope, { newest, chosen: artifactId });
  };
  const openId = artifacts.some((artifact) => artifact.id === chosen) ? chosen : null;
  return { openId, open };
}

const policyOfTool = (artifact: ArtifactView): OpenPolicy => artifact.open;

type Choice = { newest: string | null; chosen: string };

function readChoice(scope: string): Choice | null {
  try {
    const stored: Partial<Choice> | null = JSON.parse(sessionStorage.getItem(PREFIX + scope) ?? 'null');
    return typeof stored?.chosen === 'string'
      ? { newest: stored.newest ?? null, chosen: stored.chosen }
      : null;
  } catch {
    return null;
  }
}

function writeChoice(scope: string, choice: Choice): void {
  try {
    sessionStorage.setItem(PREFIX + scope, JSON.stringify(choice));
  } catch {
    // Without storage a reload opens the newest.
  }
}
