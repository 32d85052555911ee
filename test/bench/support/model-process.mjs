/**
 * The simulated model in a process of its own: a model endpoint is somebody else's machine, and its work on a request
 * must not take turns with the work that is measured.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** @param scenario a name in `scenarios.mjs` */
export async function startModelProcess(scenario) {
  const child = fork(fileURLToPath(new URL('model-main.mjs', import.meta.url)), [scenario]);
  const [{ url }] = await once(child, 'message');
  return {
    url,
    /** The text of the last request that it got. */
    async lastBody() {
      const answered = once(child, 'message');
      child.send('last');
      return (await answered)[0].lastBody;
    },
    async close() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
