/** Waits until a process says over HTTP that it is ready. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupProblem } from '../lib/problem.mjs';

const PATIENCE_MS = 60_000;
const ANSWER_MS = 5_000;

/** An aborted `signal` ends the waiting early, by rejecting. */
export async function untilHealthy({ name, health }, { signal }) {
  const deadline = Date.now() + PATIENCE_MS;
  let lastAnswer = 'no answer';
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    // Not AbortSignal.timeout: nobody would hold it, and Node 20 forgets it at the next garbage collection.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`no answer after ${ANSWER_MS} ms`)), ANSWER_MS);
    try {
      const response = await fetch(health, { signal: AbortSignal.any([signal, late.signal]) });
      if (response.ok) return;
      lastAnswer = `${response.status} ${await response.text()}`;
    } catch (error) {
      lastAnswer = error.cause?.code ?? error.message;
    } finally {
      clearTimeout(timer);
    }
    await sleep(50);
  }
  throw new SetupProblem(
    `${name} did not become ready within ${PATIENCE_MS / 1000} s (${health}: ${lastAnswer}).`,
  );
}
