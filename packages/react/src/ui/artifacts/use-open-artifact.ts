import type { ThreadState } from '@plinth/client';
import type { ArtifactView, OpenPolicy } from '@plinth/protocol';
import { useEffect, useRef, useState } from 'react';

export type OpenArtifact = { openId: string | null; open: (artifactId: string) => void };

export type OpenArtifactOptions = {
  /** The host's word against the tool's: whether an artifact opens by itself. Default: what its tool says. */
  policy?: (artifact: ArtifactView) => OpenPolicy;
  /** `changedArtifacts` of the thread's state: what a model changes comes to the front as a new one does. */
  changes?: ThreadState['changedArtifacts'];
};

const NO_CHANGES: ThreadState['changedArtifacts'] = {};

const PREFIX = 'plinth.open.';

/**
 * Which artifact is open. A new one with the policy `auto` opens by itself, once, and one that a model has changed comes to the
 * front; after that the person's choice stands until the next one, and over a reload. `scope` is the thread: another thread starts afresh.
 */
export function useOpenArtifact(
  artifacts: readonly ArtifactView[],
  scope: string | null,
  { policy = policyOfTool, changes = NO_CHANGES }: OpenArtifactOptions = {},
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
  const changed = artifacts
    .filter(({ id }) => changes[id]?.author.kind === 'model')
    .filter((artifact) => policy(artifact) === 'auto')
    .map(({ id }) => ({ id, version: changes[id]?.artifact.version ?? 0 }));
  const versions = Object.fromEntries(changed.map(({ id, version }) => [id, version]));
  const told = useRef<{ scope: string | null; versions: Versions }>({ scope, versions: {} });
  const changedKey = JSON.stringify(versions);
  useEffect(() => {
    const now: Versions = JSON.parse(changedKey);
    const before = told.current.scope === scope ? told.current.versions : {};
    told.current = { scope, versions: { ...before, ...now } };
    // After a reload the log tells again what was there when the person chose.
    const known = scope === null ? {} : (readChoice(scope)?.versions ?? {});
    for (const [id, version] of Object.entries(now))
      if (version > Math.max(before[id] ?? 0, known[id] ?? 0)) setChosen(id);
  }, [scope, changedKey]);
  const open = (artifactId: string) => {
    setChosen(artifactId);
    if (scope !== null) writeChoice(scope, { newest, chosen: artifactId, versions });
  };
  const openId = artifacts.some((artifact) => artifact.id === chosen) ? chosen : null;
  return { openId, open };
}

const policyOfTool = (artifact: ArtifactView): OpenPolicy => artifact.open;

/** By id: the newest version that a model has made. */
type Versions = Record<string, number>;
/** What the person chose, and what there was to choose from. */
type Choice = { newest: string | null; chosen: string; versions: Versions };

function readChoice(scope: string): Choice | null {
  try {
    const stored: Partial<Choice> | null = JSON.parse(sessionStorage.getItem(PREFIX + scope) ?? 'null');
    return typeof stored?.chosen === 'string'
      ? { newest: stored.newest ?? null, chosen: stored.chosen, versions: stored.versions ?? {} }
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
