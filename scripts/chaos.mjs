/**
 * `npm run chaos`: plays several hundred runs on real processes while workers are killed, Redis is flushed and
 * Postgres restarted, and proves from the ledger and from what clients and tools saw that nothing was lost, asked
 * or done twice. `-- --help` tells its options. Results go to test/chaos/output/ together with the machine.
 */
import { join } from 'node:path';
import { runAsCommand } from './lib/command.mjs';

runAsCommand(import.meta, async (args) => {
  const { HELP, readOptions } = await import('../test/chaos/options.mjs');
  // Before anything is installed or built for it.
  if (readOptions(args).help) return console.log(HELP);
  const { root } = await import('./lib/paths.mjs');
  const { createProgress } = await import('./lib/progress.mjs');
  const { run } = await import('./lib/run.mjs');
  const { setUp } = await import('./setup/set-up.mjs');
  await setUp(createProgress());
  // A process of its own, so that it loads what was built just now.
  const { code } = await run(process.execPath, [join(root, 'test/chaos/main.mjs'), ...args], { show: true });
  process.exitCode = code;
});
