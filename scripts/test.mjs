/**
 * `npm test`: sets everything up, checks, and runs every test. `npm test -- unit` (or integration, e2e) runs
 * one project; anything else is passed to Vitest as a filter: `npm test -- apps/server/test/runs`.
 * The very last line says `N passed, N failed`.
 */
import { runAsCommand } from './lib/command.mjs';

runAsCommand(import.meta, async (args) => {
  const { runEverything } = await import('./testing/run-everything.mjs');
  const { passed, failed, skipped } = await runEverything(args);
  process.exitCode = failed > 0 ? 1 : 0;
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
});
