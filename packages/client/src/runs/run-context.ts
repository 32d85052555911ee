import type { TurnContext } from '@plinth/protocol';
import type { HttpClient } from '../http/http-client.js';

/** What the requests of one run held and what was left out of them, turn by turn. */
export type RunContext = { runId: string; model: string | null; turns: TurnContext[] };

/** Reads it. Rejects with `forbidden` when the session token has not the scope `debug`. */
export const readRunContext = (
  http: HttpClient,
  runId: string,
  signal: AbortSignal | undefined,
): Promise<RunContext> => http.get(`/v1/runs/${encodeURIComponent(runId)}/context`, { signal });
