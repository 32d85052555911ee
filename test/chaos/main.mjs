/** The chaos run as a program of its own, against what is built. `npm run chaos` builds first. */
import { runAsCommand } from '../../scripts/lib/command.mjs';
import { HELP, readOptions } from './options.mjs';
import { runChaos } from './run-chaos.mjs';

runAsCommand(import.meta, async (args) => {
  const options = readOptions(args);
  if (options.help) return console.log(HELP);
  const { proof, options: used } = await runChaos(options);
  const broken = proof.filter(({ count }) => count > 0);
  const verdict = broken.map(({ name, count }) => `${count} ${name}`).join(', ') || 'every rule held';
  console.log(`\n${broken.length > 0 ? '✖' : '✔'} chaos, seed ${used.seed}: ${verdict}`);
  process.exit(broken.length > 0 ? 1 : 0);
});
