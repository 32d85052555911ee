/**
 * A client that follows one message's events as the contract asks of it: any network error, any cut, any
 * server error leads to another connection behind the last entry that it has. It keeps all that it saw.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { emptyMessageView, foldEntries, isEnded } from '@plinth/client';
import { readSse } from './read-sse.mjs';

/** The server sends a heartbeat every 15 s. */
const SILENCE_MS = 40_000;
/** After the end of the run the server ends the stream; a reader does not wait for that for ever. */
const CLOSING_MS = 5_000;

export class Reader {
  entries = [];
  connections = [];
  holes = 0;
  #openHoles = new Set();
  #listeners = new Set();

  /**
   * @param cutAfter says after how many entries the reader itself breaks a connection off; 0: it does not
   */
  constructor({ client, run, now, cutAfter = () => 0 }) {
    Object.assign(this, { client, run, now, cutAfter });
    this.log = { view: emptyMessageView(run.messageId, run.runId), cursor: null };
  }

  get view() {
    return this.log.view;
  }

  get hasEnded() {
    return isEnded(this.view.status);
  }

  /** Calls back now and after every change of the state. */
  watch(listener) {
    this.#listeners.add(listener);
    listener(this.view);
  }

  /** Reads to the end of the run, over any number of connections. */
  async follow(signal) {
    while (!this.hasEnded && !signal.aborted) {
      const connection = { at: this.now(), after: this.log.cursor, how: 'open' };
      this.connections.push(connection);
      connection.how = await this.#connect(signal).catch(
        (error) => `broke off: ${error.cause?.code ?? error.message}`,
      );
      if (!this.hasEnded) await pause(60 + ((this.connections.length * 37) % 200));
    }
  }

  async #connect(signal) {
    const cut = new AbortController();
    const stop = () => cut.abort(new Error('stopped'));
    signal.addEventListener('abort', stop, { once: true });
    let silence = setTimeout(stop, SILENCE_MS);
    const cutAfter = this.cutAfter(this.connections.length);
    let seen = 0;
    try {
      const { cursor } = this.log;
      const response = await fetch(`${this.client.url}/v1/messages/${this.run.messageId}/events`, {
        headers: {
          authorization: `Bearer ${this.client.credential}`,
          ...(cursor === null ? {} : { 'last-event-id': cursor }),
        },
        signal: cut.signal,
      });
      if (!response.ok) return `answered ${response.status}`;
      for await (const { id, data } of readSse(response.body)) {
        clearTimeout(silence);
        silence = setTimeout(stop, this.hasEnded ? CLOSING_MS : SILENCE_MS);
        if (data === null) continue;
        if (!this.#take(id, data)) return 'left at a hole';
        seen += 1;
        if (seen === cutAfter && !this.hasEnded) return 'cut by the reader';
      }
      return 'closed';
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
      cut.abort();
    }
  }

  /** False when a piece of text does not join what is there: a client reads again from its cursor, once. */
  #take(seq, data) {
    const entry = { ...data, seq };
    this.entries.push({ t: this.now(), connection: this.connections.length - 1, ...entry });
    const { log, hole } = foldEntries(this.log, [entry], this.#openHoles);
    this.log = log;
    if (hole) {
      this.holes += 1;
      this.#openHoles.add(`${hole.type} ${hole.turn}`);
      return false;
    }
    for (const listener of this.#listeners) listener(this.view);
    return true;
  }
}
