import type { TurnContext, TurnRequestView } from '@plinth/protocol';
import type { HttpClient } from '../http/http-client.js';

/** What the requests of one run held and what was left out of them, turn by turn. */
export type RunContext = { runId: string; model: string | null; turns: TurnContext[] };

const runPath = (runId: string) => `/v1/runs/${encodeURIComponent(runId)}`;

/** Reads it. Rejects with `forbidden` when the session token has not the scope `debug`. */
export const readRunContext = (
  http: HttpClient,
  runId: string,
  signal: AbortSignal | undefined,
): Promise<RunContext> => http.get(`${runPath(runId)}/context`, { signal });

/** Reads what was sent in one turn, from 0. Rejects as `readRunContext` does. */
export const readRunRequest = (
  http: HttpClient,
  runId: string,
  turn: number,
  signal: AbortSignal | undefined,
): Promise<TurnRequestView> => http.get(`${runPath(runId)}/turns/${turn}/request`, { signal });
