import type { TurnRequestView } from '@plinth/protocol';
import { useCallback } from 'react';
import { usePlinth } from '../plinth-provider.js';
import { type Reading, useReading } from '../use-reading.js';

/** The request of one turn, once there is one. A turn that is there does not change. */
export function useRunRequest(runId: string, turn: number | null): Reading<TurnRequestView> {
  const plinth = usePlinth();
  const read = useCallback(
    (signal: AbortSignal) => plinth.runRequest(runId, turn ?? 0, { signal }),
    [plinth, runId, turn],
  );
  return useReading(turn === null ? null : `${runId}/${turn}`, read);
}
