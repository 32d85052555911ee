import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { type RendererResult, RenderProcess } from './render-child.js';
import type { RenderJob } from './render-picture.js';

/** Pictures that are made at once, each by a process of its own. */
const PROCESSES = 2;
/** Milliseconds for one picture, once its process is there. A camera's largest takes about one second. */
const TIMEOUT_MS = 20_000;
/** Milliseconds without work after which a process ends. */
const IDLE_MS = 30_000;

/** Makes pictures in processes of their own, a few at a time, each within bounds of time and memory. */
export class PictureRenderer {
  readonly #limit;
  readonly #idle: { process: RenderProcess; timer: NodeJS.Timeout }[] = [];
  readonly #all = new Set<ChildProcess>();
  #closed = false;

  /** @param entry the compiled `render-process.js` */
  constructor(
    private readonly entry: URL = new URL('./render-process.js', import.meta.url),
    private readonly settings: { processes?: number; timeoutMs?: number } = {},
  ) {
    this.#limit = pLimit(settings.processes ?? PROCESSES);
  }

  render(job: RenderJob): Promise<RendererResult> {
    return this.#limit(async () => {
      if (this.#closed) throw new Error('pictures are not made any more: the process is closing');
      const process = this.#take();
      const result =
        (await process.start()) ?? (await process.render(job, this.settings.timeoutMs ?? TIMEOUT_MS));
      if (result.kind === 'gaveUp' || this.#closed) process.child.kill('SIGKILL');
      else this.#giveBack(process);
      return result;
    });
  }

  /** Ends all processes; what they were making is given up. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#idle) clearTimeout(timer);
    for (const child of this.#all) child.kill('SIGKILL');
  }

  #take(): RenderProcess {
    for (let free = this.#idle.pop(); free !== undefined; free = this.#idle.pop()) {
      clearTimeout(free.timer);
      if (free.process.child.connected) return free.process;
    }
    const child = fork(fileURLToPath(this.entry), {
      // Nothing of the process's environment, which holds its secrets.
      env: {},
      execArgv: ['--max-old-space-size=512'],
      // Bytes go over as they are, not as JSON.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('error', () => child.kill('SIGKILL'));
    child.once('exit', () => this.#all.delete(child));
    this.#all.add(child);
    return new RenderProcess(child);
  }

  #giveBack(process: RenderProcess): void {
    const timer = setTimeout(() => process.child.kill('SIGKILL'), IDLE_MS);
    timer.unref();
    this.#idle.push({ process, timer });
  }
}
