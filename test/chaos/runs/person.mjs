/** Calls that are made again until something definite is said: what a client does about a network that fails. */
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 150;

/** An answer that a repeat of the same request may change: the service or its stores were away. */
const isPassing = (status) => status >= 500 || status === 429;

/** Makes one call again and again; every attempt is noted in `attempts`. Null when the time was over before. */
export async function untilDefinite(call, { signal, now, attempts = [] }) {
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      const { status, body } = await call();
      attempts.push({ at: now(), status, ...(body?.code ? { code: body.code } : {}) });
      if (!isPassing(status)) return { status, body, tries };
    } catch (error) {
      attempts.push({ at: now(), failed: error.cause?.code ?? error.message });
    }
    await pause(Math.min(RETRY_MS * tries, 1_000));
  }
  return null;
}

/** One person of the business, over the API. */
export class Person {
  constructor(client, { now, signal }) {
    Object.assign(this, { client, now, signal });
  }

  #definite(method, path, body, headers, attempts = []) {
    return untilDefinite(() => this.client.raw(method, path, body, headers), { ...this, attempts });
  }

  start(text, { threadId, key }) {
    const path = threadId === undefined ? '/v1/runs' : `/v1/threads/${threadId}/runs`;
    return this.#definite('POST', path, { agent: 'tester', input: { text } }, { 'idempotency-key': key });
  }

  answer(interruptId, requestId, answer, attempts) {
    return this.#definite(
      'POST',
      `/v1/interrupts/${interruptId}/answer`,
      { requestId, answer },
      {},
      attempts,
    );
  }

  cancel(runId) {
    return this.#definite('POST', `/v1/runs/${runId}/cancel`);
  }

  message(messageId) {
    return this.#definite('GET', `/v1/messages/${messageId}`);
  }
}
