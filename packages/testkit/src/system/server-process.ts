import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './until.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MAIN = `${ROOT}apps/server/dist/main.js`;
const KEPT_LINES = 400;

/** One real Plinth server process, which can be killed and started again. */
export class ServerProcess {
  #child: ChildProcess | null = null;
  readonly #lines: string[] = [];

  constructor(
    readonly port: number,
    readonly role: 'api' | 'worker' | 'all',
    private readonly environment: Record<string, string>,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The last lines that it wrote. */
  get log(): string {
    return this.#lines.join('');
  }

  /** Starts it and waits until it says that it is ready. @throws Error with its output when it does not. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH ?? '',
        ...this.environment,
        PORT: String(this.port),
        PLINTH_ROLE: this.role,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (data: Buffer) => {
        this.#lines.push(data.toString());
        if (this.#lines.length > KEPT_LINES) this.#lines.shift();
      });
    }
    try {
      await until(
        `${this.role} server on port ${this.port}`,
        async () =>
          child.exitCode !== null ||
          (await fetch(`${this.url}/readyz`).then(
            (r) => r.ok,
            () => false,
          )),
        30_000,
      );
    } catch (error) {
      throw new Error(`${String(error)}\n${this.log}`);
    }
    if (child.exitCode !== null) throw new Error(`the server ended at its start:\n${this.log}`);
  }

  /** Ends it at once (SIGKILL) or in order (SIGTERM), and waits until it is gone. */
  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}
