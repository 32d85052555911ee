/**
 * `npm run bench:sizes`: what the entry points of other libraries cost a page, measured as ours are: minified, gzip -9, React
 * and what is loaded later left out. Needs the package registry; installs into a folder of its own, which is kept.
 */
import { runAsCommand } from './lib/command.mjs';

runAsCommand(import.meta, async () => {
  const { measurePeers } = await import('./bench/measure-peers.mjs');
  const { measureBundle } = await import('./checks/measure-bundle.mjs');
  const rows = await measurePeers({ measureBundle, log: console.log });
  console.log(`\n| import | version | kB |\n|---|---|---|`);
  for (const { code, version, kilobytes } of rows) console.log(`| \`${code}\` | ${version} | ${kilobytes} |`);
});
