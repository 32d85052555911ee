/**
 * `npm start`, from first to last. Whatever goes wrong on the way, and whoever presses Ctrl-C when, everything
 * that was started is stopped again in the opposite order, and the data is kept.
 */
import { createProgress } from '../lib/progress.mjs';
import { loadSecrets } from '../lib/secrets.mjs';
import { setUp } from '../setup/set-up.mjs';
import { checkPort } from './check-port.mjs';
import { readOptions } from './options.mjs';
import { takeRunLock } from './run-lock.mjs';
import { createShutdown } from './shutdown.mjs';

export async function start(env) {
  const progress = createProgress();
  const options = readOptions(env);
  const shutdown = createShutdown({ log: (line) => console.log(line) });
  try {
    const lock = await takeRunLock({ ...options, log: progress.log });
    shutdown.add(() => lock.release());
    if (options.servesHttp) await checkPort(options.port);
    await setUp(progress);
    // These need the dependencies, so they are loaded after the set-up.
    const { bringUp } = await import('./bring-up.mjs');
    const secrets = loadSecrets(options.dataDir, env);
    await bringUp({ options, env, secrets, lock, progress, shutdown });
  } catch (error) {
    // What fails on the way back is only a consequence.
    const isConsequence = shutdown.signal.aborted;
    await shutdown.run();
    if (!isConsequence) throw error;
  }
}
