import { type PlinthClientError, readArtifactConflict } from '@plinth/client';
import type { ArtifactView } from '@plinth/protocol';
import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { usePlinth } from '../../plinth-provider.js';
import { type Draft, drafts } from './draft-store.js';
import type { KnownText } from './use-artifact-text.js';

export type SaveState =
  | { kind: 'idle' }
  | { kind: 'saving' }
  | { kind: 'saved'; version: number }
  | { kind: 'failed'; tooLarge: boolean };

export type DocumentHandle = {
  draft: Draft | null;
  /** The newest version that is known here. */
  newest: ArtifactView;
  save: SaveState;
  /** The text of the version that this page has saved last. */
  known: KnownText | null;
  /** @param savedText that of the newest version, when it is what was edited */
  change: (text: string, savedText: string | null) => void;
  discard: () => void;
  /** Saves the draft, on the version that it was made on. */
  saveDraft: () => void;
  /** Puts another text in the draft's place, made on another version: the end of a conflict. */
  rebase: (draft: Draft) => void;
  /** Saves bytes as the next version after the newest. Resolves to whether they were saved. */
  saveBytes: (bytes: Blob | string) => Promise<boolean>;
};

/** One artifact in the hands of a person: the changes that are not saved, and what saving came to. */
export function useDocument(artifact: ArtifactView): DocumentHandle {
  const plinth = usePlinth();
  const { id } = artifact;
  const draft = useSyncExternalStore(
    drafts.subscribe,
    () => drafts.get(id),
    () => null,
  );
  const [save, setSave] = useState<SaveState>({ kind: 'idle' });
  // What this page has saved, or was told of, may be known before the thread's log tells it.
  const [told, setTold] = useState<ArtifactView | null>(null);
  const [known, setKnown] = useState<KnownText | null>(null);
  const newest = told !== null && told.version > artifact.version ? told : artifact;
  const saving = useRef(false);

  const change = useCallback(
    (text: string, savedText: string | null) => {
      const base = drafts.get(id)?.baseVersion ?? newest.version;
      // Typing back what is saved leaves nothing to save.
      const isSame = base === newest.version && text === savedText;
      drafts.set(id, isSame ? null : { baseVersion: base, text });
      setSave((before) => (before.kind === 'saving' ? before : { kind: 'idle' }));
    },
    [id, newest.version],
  );
  const discard = useCallback(() => {
    drafts.set(id, null);
    setSave({ kind: 'idle' });
  }, [id]);
  const rebase = useCallback(
    (next: Draft) => {
      drafts.set(id, next);
      setSave({ kind: 'idle' });
    },
    [id],
  );

  const put = useCallback(
    async (bytes: Blob | string, version: number): Promise<ArtifactView | null> => {
      if (saving.current) return null;
      saving.current = true;
      setSave({ kind: 'saving' });
      try {
        const saved = await plinth.saveArtifact(id, bytes, { version, contentType: artifact.mimeType });
        if (typeof bytes === 'string') setKnown({ version: saved.version, text: bytes });
        setTold(saved);
        setSave({ kind: 'saved', version: saved.version });
        return saved;
      } catch (error) {
        const conflict = readArtifactConflict(error);
        if (conflict !== null) setTold(conflict.newest);
        const tooLarge = (error as Partial<PlinthClientError>).code === 'body_too_large';
        setSave(conflict !== null ? { kind: 'idle' } : { kind: 'failed', tooLarge });
        return null;
      } finally {
        saving.current = false;
      }
    },
    [plinth, id, artifact.mimeType],
  );
  const saveDraft = useCallback(() => {
    const sent = drafts.get(id);
    if (sent === null) return;
    void put(sent.text, sent.baseVersion).then((saved) => {
      const now = drafts.get(id);
      if (saved === null || now === null) return;
      // What was typed while it was saved is a change of what was saved.
      drafts.set(id, now.text === sent.text ? null : { baseVersion: saved.version, text: now.text });
    });
  }, [id, put]);
  const saveBytes = useCallback(
    async (bytes: Blob | string) => (await put(bytes, newest.version)) !== null,
    [put, newest.version],
  );
  return { draft, newest, save, known, change, discard, saveDraft, rebase, saveBytes };
}
