/**
 * How a script becomes a command.
 *
 * Promise: an old Node is told so before it meets syntax it cannot read (hence commands import their own
 * modules dynamically, and this file keeps to old ways); a set-up problem is one clear message; only a bug
 * shows a stack trace.
 */
// biome-ignore lint/style/useNodejsImportProtocol: old versions of Node stumble over the prefix.
import { realpathSync } from 'fs';
// biome-ignore lint/style/useNodejsImportProtocol: old versions of Node stumble over the prefix.
import { fileURLToPath } from 'url';
import { requireNode } from '../setup/node-version.mjs';

/** Runs `main(argumentsOfTheCommand)` when the file of `meta` is what was started, and not when it is imported. */
export function runAsCommand(meta, main) {
  if (!process.argv[1] || realpathSync(process.argv[1]) !== fileURLToPath(meta.url)) return;
  requireNode();
  main(process.argv.slice(2)).catch((error) => {
    console.error(error.name === 'SetupProblem' ? `\n✖ ${error.message}\n` : error);
    process.exit(1);
  });
}
