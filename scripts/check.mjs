/** `npm run check`: format, lint, import rules and types of everything. `-- --fix` mends what it can. */
import { runAsCommand } from './lib/command.mjs';

runAsCommand(import.meta, async (args) => {
  const { createProgress } = await import('./lib/progress.mjs');
  const { ensureInstalled } = await import('./setup/install.mjs');
  const { generate } = await import('./generate.mjs');
  const { runChecks } = await import('./checks/run-checks.mjs');
  const { log } = createProgress();
  await ensureInstalled({ log });
  await generate({ log });
  const { failed } = await runChecks({ fix: args.includes('--fix') });
  process.exitCode = failed > 0 ? 1 : 0;
});
