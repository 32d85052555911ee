import type { MessageView } from '@plinth/protocol';
import { useEffect, useRef } from 'react';

/** Calls when a turn was counted, a call has come, or the run has gone on or ended. */
export function useOnTurn({ status, usage, calls }: MessageView, call: () => void): void {
  const beat = `${status} ${usage.inputTokens} ${usage.outputTokens} ${calls.length}`;
  const known = useRef(beat);
  useEffect(() => {
    if (known.current === beat) return;
    known.current = beat;
    call();
  }, [beat, call]);
}
