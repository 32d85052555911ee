/**
 * `npm run bench`: measures against the built packages, with private and durable services. `-- <text>` runs
 * only the files whose name holds that text; `--kills 200` is how often worker-kills kills (a long run). Results go to
 * test/bench/output/ together with the machine.
 */
import { runAsCommand } from './lib/command.mjs';

runAsCommand(import.meta, async (args) => {
  const { readOptions } = await import('./bench/options.mjs');
  const { createProgress } = await import('./lib/progress.mjs');
  const { setUp } = await import('./setup/set-up.mjs');
  await setUp(createProgress());
  const { runBenchmarks } = await import('./bench/run-benchmarks.mjs');
  const failed = await runBenchmarks(readOptions(args));
  process.exitCode = failed > 0 ? 1 : 0;
});
