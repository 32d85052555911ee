/** `node scripts/setup/run-install.mjs`: only installs the dependencies, as every other command does first. */
import { runAsCommand } from '../lib/command.mjs';

runAsCommand(import.meta, async () => {
  const { ensureInstalled } = await import('./install.mjs');
  await ensureInstalled({ log: (line) => console.log(line) });
});
