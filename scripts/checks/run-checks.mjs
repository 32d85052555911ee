/**
 * The checks that must hold before a change is merged. They run one after the other, so that the output of a
 * failing one stays together; the whole takes a few seconds, and half a minute more for the packages.
 */

import { checkContract } from '../contract/check-contract.mjs';
import { formatMs } from '../lib/progress.mjs';
import { run } from '../lib/run.mjs';
import { checkPackages } from '../packages/check-packages.mjs';
import { checkApiSurface } from './api-surface.mjs';
import { checkSizes } from './check-sizes.mjs';

function checks({ fix }) {
  const biome = ['check', '.', '--diagnostic-level=error', '--max-diagnostics=50', '--colors=off'];
  return [
    { name: 'Format, lint and import rules', check: () => run('biome', fix ? [...biome, '--write'] : biome) },
    // Before the types: those of the client are made of it.
    { name: 'API document, and the types made of it', check: () => checkContract({ fix }) },
    { name: 'Types of the sources', check: () => run('tsc', ['-b', '--pretty', 'false']) },
    {
      name: 'Types of the tests',
      check: () => run('tsc', ['-p', 'tsconfig.test.json', '--pretty', 'false']),
    },
    // After the types: it packs what was compiled.
    { name: 'Packages as they are published', check: checkPackages },
  ];
}

/** Prints a line a check, and all that a failing one has to say. Returns `{ passed, failed }`. */
export async function runChecks({ fix = false } = {}) {
  let failed = 0;
  const all = checks({ fix });
  for (const { name, check } of all) {
    const startedAt = Date.now();
    const { code, output } = await check();
    console.log(`${code === 0 ? '✔' : '✖'} ${name} ${formatMs(Date.now() - startedAt)}`);
    if (code === 0) continue;
    failed += 1;
    console.log(output.trim());
  }
  const own = [checkApiSurface({ fix }), await checkSizes()];
  const sum = (key) => own.reduce((total, counts) => total + counts[key], 0);
  return { passed: all.length - failed + sum('passed'), failed: failed + sum('failed') };
}
