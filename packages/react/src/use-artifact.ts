'use client';
import { type ArtifactConflict, PlinthClientError, readArtifactConflict } from '@plinth/client';
import type { ArtifactView } from '@plinth/protocol';
import { useCallback, useMemo, useRef, useState } from 'react';
import { usePlinth } from './plinth-provider.js';
import { type ArtifactContentHandle, useArtifactContent } from './use-artifact-content.js';

export type ArtifactHandle = ArtifactContentHandle & {
  /**
   * Makes the next version of what was changed on `version`. Null when it was not saved: `conflict` or `saveError` says why.
   * Somebody else's newer version is never overwritten.
   */
  save(content: Blob | string, version: number): Promise<ArtifactView | null>;
  saving: boolean;
  /** The version that somebody else has made meanwhile. The next save clears it. */
  conflict: ArtifactConflict | null;
  saveError: PlinthClientError | null;
};

type Save = Pick<ArtifactHandle, 'saving' | 'conflict' | 'saveError'>;
const IDLE: Save = { saving: false, conflict: null, saveError: null };

/** An artifact to read and to save; reads it again when a new `version` is passed. */
export function useArtifact(artifactId: string | null, version?: number): ArtifactHandle {
  const plinth = usePlinth();
  const { content, error, renew } = useArtifactContent(artifactId, version);
  const [{ of, save: state }, setSave] = useState({ of: artifactId, save: IDLE });
  const asked = useRef(0);

  const save = useCallback(
    async (body: Blob | string, baseVersion: number): Promise<ArtifactView | null> => {
      if (artifactId === null) return null;
      const turn = ++asked.current;
      const show = (next: Save) => turn === asked.current && setSave({ of: artifactId, save: next });
      show({ ...IDLE, saving: true });
      try {
        const saved = await plinth.saveArtifact(artifactId, body, { version: baseVersion });
        show(IDLE);
        renew();
        return saved;
      } catch (cause) {
        if (!PlinthClientError.isInstance(cause)) throw cause;
        const conflict = readArtifactConflict(cause);
        show({ saving: false, conflict, saveError: conflict ? null : cause });
        return null;
      }
    },
    [plinth, artifactId, renew],
  );

  // What belongs to the artifact before is not shown for this one.
  const shown = of === artifactId ? state : IDLE;
  return useMemo(() => ({ content, error, renew, save, ...shown }), [content, error, renew, save, shown]);
}
