import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { type Answer, TOO_MUCH_MEMORY } from './render-answer.js';
import type { Rendered, RenderJob } from './render-picture.js';

/** Pictures that are made at once, each by a process of its own. */
const PROCESSES = 2;
/** Milliseconds for one picture, without the wait for a free process. A camera's largest takes about one second. */
const TIMEOUT_MS = 20_000;
/** Milliseconds without work after which a process ends. */
const IDLE_MS = 30_000;

/** `gaveUp`: the bytes may be sound, and it was time, memory or the decoder that ran out. Worth another try, later. */
export type RendererResult = Rendered | { kind: 'gaveUp'; reason: string };

/** Makes pictures in processes of their own, a few at a time, each within bounds of time and memory. */
export class PictureRenderer {
  readonly #limit;
  readonly #idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = [];
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
      const child = this.#take();
      const result = await exchange(child, job, this.settings.timeoutMs ?? TIMEOUT_MS);
      if (result.kind === 'gaveUp' || this.#closed) child.kill('SIGKILL');
      else this.#giveBack(child);
      return result;
    });
  }

  /** Ends all processes; what they were making is given up. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#idle) clearTimeout(timer);
    for (const child of this.#all) child.kill('SIGKILL');
  }

  #take(): ChildProcess {
    for (let free = this.#idle.pop(); free !== undefined; free = this.#idle.pop()) {
      clearTimeout(free.timer);
      if (free.child.connected) return free.child;
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
    return child;
  }

  #giveBack(child: ChildProcess): void {
    const timer = setTimeout(() => child.kill('SIGKILL'), IDLE_MS);
    timer.unref();
    this.#idle.push({ child, timer });
  }
}

function exchange(child: ChildProcess, job: RenderJob, timeoutMs: number): Promise<RendererResult> {
  return new Promise((resolve) => {
    const settle = (result: RendererResult) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      resolve(result);
    };
    const giveUp = (reason: string) => settle({ kind: 'gaveUp', reason });
    const onMessage = (answer: unknown) => settle((answer as Answer).rendered);
    const onExit = (code: number | null) =>
      giveUp(
        code === TOO_MUCH_MEMORY
          ? 'The picture takes too much memory to decode.'
          : 'The picture could not be decoded: the decoder broke off.',
      );
    const timer = setTimeout(
      () => giveUp(`The picture could not be decoded within ${timeoutMs / 1000} s.`),
      timeoutMs,
    );
    child.on('message', onMessage).once('exit', onExit);
    child.send(job, (error) => {
      if (error) onExit(null);
    });
  });
}
