/** Keeps the processes of the platform up, as an operator's supervisor does, but for the faults it carries out. */
import { setTimeout as pause } from 'node:timers/promises';

const AGAIN_MS = 500;

export class Supervisor {
  /** Ends that nobody asked for: bugs. */
  deaths = [];
  #busy = new Set();
  #closing = false;

  constructor({ now, logBook }) {
    Object.assign(this, { now, logBook });
  }

  /** Call it for each process before it is started. */
  watch(server, name) {
    server.onOutput = this.logBook.of(name);
    server.onDeath = (how) => {
      if (this.#closing) return;
      this.deaths.push({ t: this.now(), name, how, log: server.log.slice(-2_000) });
      this.#busy.add(server);
      void this.#bringUp(server, name).finally(() => this.#busy.delete(server));
    };
    server.title = name;
    // Whatever becomes of this program, it leaves none behind.
    process.on('exit', () => server.signal('SIGKILL'));
  }

  /** Processes that run and that no fault is about. */
  free(servers) {
    return servers.filter((server) => !this.#busy.has(server));
  }

  areUp(servers) {
    return this.free(servers).length === servers.length;
  }

  /** SIGKILL, and up again after a while. */
  kill(server, downMs) {
    return this.#again(server, 'SIGKILL', downMs);
  }

  /** Closed in order, and up again. */
  replace(server, downMs) {
    return this.#again(server, 'SIGTERM', downMs);
  }

  #again(server, signal, downMs) {
    return this.#alone(server, async () => {
      await server.stop(signal);
      await pause(downMs);
      await this.#bringUp(server, server.title);
    });
  }

  /** Holds it still for longer than its leases last, and lets it go on as if nothing had been. */
  freeze(server, frozenMs) {
    return this.#alone(server, async () => {
      server.signal('SIGSTOP');
      await pause(frozenMs);
      server.signal('SIGCONT');
    });
  }

  close() {
    this.#closing = true;
  }

  async #alone(server, work) {
    this.#busy.add(server);
    try {
      await work();
    } finally {
      this.#busy.delete(server);
    }
  }

  /** A process that starts while a store is away says so and ends; it is started again. */
  async #bringUp(server, name) {
    while (!this.#closing) {
      try {
        await server.start();
        return;
      } catch (error) {
        this.logBook.add(name, `did not start: ${String(error.message).slice(-300)}`);
        await server.stop('SIGKILL');
        await pause(AGAIN_MS);
      }
    }
  }
}
