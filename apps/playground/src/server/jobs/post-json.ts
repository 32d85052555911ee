/** How a post went, as far as its sender must know: taken or refused for good, or worth another try. */
export type PostOutcome =
  | { kind: 'delivered'; status: number }
  | { kind: 'refused'; status: number }
  | { kind: 'retryable'; reason: string };

export type Http = {
  fetch: typeof fetch;
  wait: (durationMs: number) => Promise<void>;
  /** Aborted when the service stops. */
  closing: AbortSignal;
};

const TIMEOUT_MS = 15_000;
/** Two minutes in all: longer than a restart of the Plinth server takes. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 60_000];

/** Posts JSON once. Never throws. */
export async function postJson(http: Http, url: string, body: unknown): Promise<PostOutcome> {
  // Not AbortSignal.timeout: nobody would hold it, and Node 20 forgets it at the next garbage collection.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer after ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  try {
    const response = await http.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([late.signal, http.closing]),
    });
    await response.body?.cancel();
    if (response.ok) return { kind: 'delivered', status: response.status };
    if (response.status < 500) return { kind: 'refused', status: response.status };
    return { kind: 'retryable', reason: `status ${response.status}` };
  } catch (error) {
    return { kind: 'retryable', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Posts JSON until it is taken or refused: the server may be restarting. 4xx ends it as well, since 404, 409 and
 * 410 mean that the wait is over. Gives the last outcome after eight tries, or when the service stops.
 */
export async function postJsonPersistently(http: Http, url: string, body: unknown): Promise<PostOutcome> {
  let outcome = await postJson(http, url, body);
  for (const delayMs of RETRY_DELAYS_MS) {
    if (outcome.kind !== 'retryable' || http.closing.aborted) return outcome;
    await http.wait(delayMs);
    if (http.closing.aborted) return outcome;
    outcome = await postJson(http, url, body);
  }
  return outcome;
}
