import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './until.js';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const KEPT_LINES = 400;
/** A start takes two seconds; where several test runs share two cores, much longer. */
const START_MS = 120_000;

/** One real process of a built program that serves HTTP, which can be killed and started again. */
export class NodeProcess {
  #child: ChildProcess | null = null;
  readonly #lines: string[] = [];
  #wasReady = false;
  /** Told of all that it writes. */
  onOutput: (text: string) => void = () => {};
  /** Told when it ends although nobody stopped it, once it had been ready. */
  onDeath: (how: string) => void = () => {};

  /**
   * @param main path of the built program in the repository
   * @param readyPath answers with success when the program can do its work
   */
  constructor(
    readonly port: number,
    private readonly main: string,
    private readonly readyPath: string,
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

  /**
   * Starts it and waits until it says that it is ready.
   *
   * @param more variables of this start, besides its own
   * @throws Error with its output when it does not become ready
   */
  async start(more: Record<string, string> = {}): Promise<void> {
    const child = spawn(process.execPath, ['--enable-source-maps', `${ROOT}${this.main}`], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', ...this.environment, ...more, PORT: String(this.port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#wasReady = false;
    child.once('exit', (code, signal) => {
      if (this.#child === child && this.#wasReady) this.onDeath(signal ?? `code ${code}`);
    });
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (data: Buffer) => {
        this.#lines.push(data.toString());
        this.onOutput(data.toString());
        if (this.#lines.length > KEPT_LINES) this.#lines.shift();
      });
    }
    const isReady = () =>
      fetch(`${this.url}${this.readyPath}`).then(
        (response) => response.ok,
        () => false,
      );
    try {
      await until(`${this.main} on port ${this.port}`, async () => hasEnded(child) || isReady(), START_MS);
    } catch (error) {
      throw new Error(`${String(error)}\n${this.log}`);
    }
    if (hasEnded(child)) throw new Error(`${this.main} ended at its start:\n${this.log}`);
    this.#wasReady = true;
  }

  /** Sends a signal now, in the middle of whatever it does. SIGSTOP holds it still, SIGCONT lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    this.#child?.kill(signal);
  }

  /** Ends it at once (SIGKILL) or in order (SIGTERM), and waits until it is gone. */
  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || hasEnded(child)) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
