/** The chaos run as a program of its own, against what is built. `npm run chaos` builds first. */
import { HELP, readOptions } from './options.mjs';
import { runChaos } from './run-chaos.mjs';

const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(HELP);
} else {
  const { proof, options: used } = await runChaos(options);
  const broken = proof.filter(({ count }) => count > 0);
  const verdict = broken.map(({ name, count }) => `${count} ${name}`).join(', ') || 'every rule held';
  console.log(`\n${broken.length > 0 ? '✖' : '✔'} chaos, seed ${used.seed}: ${verdict}`);
  process.exit(broken.length > 0 ? 1 : 0);
}
