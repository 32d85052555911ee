import type { ChildProcess } from 'node:child_process';
import { type Answer, TOO_MUCH_MEMORY } from './render-answer.js';
import type { Rendered, RenderJob } from './render-picture.js';

/** `gaveUp`: the bytes may be sound, and it was time, memory or the decoder that ran out. Worth another try, later. */
export type RendererResult = Rendered | GaveUp;
interface GaveUp {
  kind: 'gaveUp';
  reason: string;
}

/** Milliseconds for a process to start. It takes a tenth of a second where the machine has time, which is no picture's fault. */
const START_MS = 60_000;

/** One process that makes pictures, from the side of the one who asks. */
export class RenderProcess {
  #isReady = false;

  constructor(readonly child: ChildProcess) {}

  /** Null when it can be asked. */
  async start(): Promise<GaveUp | null> {
    if (this.#isReady) return null;
    const answer = await this.#answer(START_MS, 'The picture could not be decoded: no decoder started.');
    this.#isReady = answer.kind === 'ready';
    return answer.kind === 'ready' ? null : (answer as GaveUp);
  }

  async render(job: RenderJob, timeoutMs: number): Promise<RendererResult> {
    const answer = this.#answer(timeoutMs, `The picture could not be decoded within ${timeoutMs / 1000} s.`);
    // What fails here is told by the process's end.
    this.child.send(job, () => {});
    return (await answer) as RendererResult;
  }

  #answer(timeoutMs: number, late: string): Promise<Answer | GaveUp> {
    const { child } = this;
    return new Promise((resolve) => {
      const settle = (answer: Answer | GaveUp) => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit);
        resolve(answer);
      };
      const onMessage = (answer: unknown) => settle(answer as Answer);
      const onExit = (code: number | null) => settle({ kind: 'gaveUp', reason: reasonOf(code) });
      const timer = setTimeout(() => settle({ kind: 'gaveUp', reason: late }), timeoutMs);
      child.on('message', onMessage).once('exit', onExit);
      if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode);
    });
  }
}

const reasonOf = (exitCode: number | null) =>
  exitCode === TOO_MUCH_MEMORY
    ? 'The picture takes too much memory to decode.'
    : 'The picture could not be decoded: the decoder broke off.';
