/** Looks at the packed packages as strangers' tools will: every entry resolves, with types, for every module resolution we support. */
import { run } from '../lib/run.mjs';
import { packPackages } from './pack-packages.mjs';

/** Style sheets have no types. */
const UNTYPED = ['./ui/styles.css', './inspector/styles.css'];

async function looksRight({ folder, tarball }) {
  const checks = [
    ['publint', ['run', folder, '--strict', '--pack', 'false']],
    // The packages are ES modules only: `require` of them is not promised, nor what came before `exports`.
    [
      'attw',
      [
        tarball,
        '--profile',
        'esm-only',
        '--format',
        'ascii',
        '--no-color',
        '--exclude-entrypoints',
        ...UNTYPED,
      ],
    ],
  ];
  const results = await Promise.all(checks.map(([file, args]) => run(file, args)));
  return results.filter(({ code }) => code !== 0).map(({ output }) => output.trim());
}

/** Resolves with `{ code, output }` like a tool that was run. */
export async function checkPackages() {
  const problems = [];
  for (const one of await packPackages()) {
    const found = await looksRight(one);
    problems.push(...found.map((text) => `${one.name}\n${text}`));
  }
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n\n') };
}
