import { PlinthClientError } from '@plinth/client';
import type { StreamEntry } from '@plinth/protocol';
import { useEffect, useState } from 'react';
import { usePlinth } from '../plinth-provider.js';

export type MessageLogState = {
  /** In the order in which they came. Null: nothing has come yet. */
  entries: readonly StreamEntry[] | null;
  error: PlinthClientError | null;
};

const NOTHING: MessageLogState = { entries: null, error: null };

/** The event log of a message, from its first entry, and on until its run has ended. One message for each use of it. */
export function useMessageLog(messageId: string): MessageLogState {
  const plinth = usePlinth();
  const [log, setLog] = useState<MessageLogState>(NOTHING);
  useEffect(() => {
    const left = new AbortController();
    setLog(NOTHING);
    const onEntries = (more: readonly StreamEntry[]) =>
      left.signal.aborted ||
      setLog(({ entries }) => ({ entries: [...(entries ?? []), ...more], error: null }));
    plinth.followLog(messageId, { signal: left.signal, onEntries }).catch((error: unknown) => {
      if (left.signal.aborted) return;
      if (!PlinthClientError.isInstance(error)) throw error;
      setLog(({ entries }) => ({ entries, error }));
    });
    return () => left.abort();
  }, [plinth, messageId]);
  return log;
}
