/** Waits until a process says over HTTP that it is ready. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupProblem } from '../lib/problem.mjs';

const PATIENCE_MS = 60_000;

/** An aborted `signal` ends the waiting early, by rejecting. */
export async function untilHealthy({ name, health }, { signal }) {
  const deadline = Date.now() + PATIENCE_MS;
  let lastAnswer = 'no answer';
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    try {
      const response = await fetch(health, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) });
      if (response.ok) return;
      lastAnswer = `${response.status} ${await response.text()}`;
    } catch (error) {
      lastAnswer = error.cause?.code ?? error.message;
    }
    await sleep(50);
  }
  throw new SetupProblem(
    `${name} did not become ready within ${PATIENCE_MS / 1000} s (${health}: ${lastAnswer}).`,
  );
}
