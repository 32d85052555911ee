import { PlinthClientError, type SendAttachment } from '@plinth/client';
import type { UploadView } from '@plinth/protocol';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { usePlinth } from '../plinth-provider.js';

/** A file on its way to the platform, or there and not yet sent with a message. */
export type Attachment = {
  key: number;
  file: File;
  /** For pictures: an address of the page's own, to show them before they are anywhere else. */
  previewUrl: string | null;
  state:
    | { at: 'uploading' }
    | { at: 'ready'; upload: UploadView }
    | { at: 'failed'; error: PlinthClientError | null; why?: 'empty' | 'too_many' };
};

export type Attachments = {
  items: readonly Attachment[];
  /** Null while one is on its way or could not be taken: nothing is sent without what the person sees. */
  ready: readonly SendAttachment[] | null;
  add(files: Iterable<File>): void;
  retry(key: number): void;
  remove(key: number): void;
  clear(): void;
};

/** Files that a message takes: the server's own limit. */
export const MOST_ATTACHMENTS = 10;

/** What need not be sent to be known. */
function refusedHere(file: File, place: number): 'empty' | 'too_many' | null {
  if (place >= MOST_ATTACHMENTS) return 'too_many';
  return file.size === 0 ? 'empty' : null;
}

/** Uploads files as they are given, and forgets them when they are removed, sent, or the caller is gone. */
export function useAttachments(): Attachments {
  const plinth = usePlinth();
  const [items, setItems] = useState<readonly Attachment[]>([]);
  const underWay = useRef(new Map<number, AbortController>());
  const nextKey = useRef(0);
  const shown = useRef(items);
  shown.current = items;

  const upload = useCallback(
    async (key: number, file: File) => {
      const abort = new AbortController();
      underWay.current.set(key, abort);
      const settle = (state: Attachment['state']) => {
        if (abort.signal.aborted) return;
        setItems((before) => before.map((item) => (item.key === key ? { ...item, state } : item)));
      };
      settle({ at: 'uploading' });
      try {
        settle({
          at: 'ready',
          upload: await plinth.upload(file, { title: file.name, signal: abort.signal }),
        });
      } catch (cause) {
        settle({ at: 'failed', error: PlinthClientError.isInstance(cause) ? cause : null });
      } finally {
        underWay.current.delete(key);
      }
    },
    [plinth],
  );

  const forget = useCallback(({ key, previewUrl }: Attachment) => {
    underWay.current.get(key)?.abort();
    if (previewUrl !== null) URL.revokeObjectURL(previewUrl);
  }, []);

  useEffect(() => () => shown.current.forEach(forget), [forget]);

  return useMemo<Attachments>(() => {
    const uploads = items.flatMap(({ state }) => (state.at === 'ready' ? [{ upload: state.upload }] : []));
    return {
      items,
      ready: uploads.length === items.length ? uploads : null,
      add(files) {
        const added = [...files].map((file, index): Attachment => {
          nextKey.current += 1;
          const previewUrl = file.type.startsWith('image/') ? URL.createObjectURL(file) : null;
          const why = refusedHere(file, items.length + index);
          const state: Attachment['state'] =
            why === null ? { at: 'uploading' } : { at: 'failed', error: null, why };
          return { key: nextKey.current, file, previewUrl, state };
        });
        setItems((before) => [...before, ...added]);
        for (const { key, file, state } of added) if (state.at === 'uploading') void upload(key, file);
      },
      retry(key) {
        const item = items.find((one) => one.key === key);
        if (item !== undefined) void upload(key, item.file);
      },
      remove(key) {
        for (const item of items) if (item.key === key) forget(item);
        setItems((before) => before.filter((item) => item.key !== key));
      },
      clear() {
        items.forEach(forget);
        setItems([]);
      },
    };
  }, [items, upload, forget]);
}
