/** The order of `npm test`: set-up, checks, tests. Returns how many passed, failed and were skipped. */
import { runChecks } from '../checks/run-checks.mjs';
import { createProgress } from '../lib/progress.mjs';
import { ensureChromium } from '../services/chromium.mjs';
import { setUp } from '../setup/set-up.mjs';
import { runVitest } from './run-vitest.mjs';

const PROJECTS = ['unit', 'integration', 'e2e'];
/** Asked for by its name only: it installs hundreds of packages of others. */
const EXTRA = ['peers'];
const IN_A_BROWSER = ['e2e', 'peers'];

export async function runEverything(args) {
  const known = [...PROJECTS, ...EXTRA];
  const named = args.filter((argument) => known.includes(argument));
  const filters = args.filter((argument) => !known.includes(argument));
  const projects = named.length > 0 ? named : PROJECTS;
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const add = (part) => {
    for (const key of Object.keys(totals)) totals[key] += part[key] ?? 0;
  };

  try {
    await setUp(createProgress());
  } catch (error) {
    console.error(error.name === 'SetupProblem' ? `\n✖ ${error.message}` : error);
    return { ...totals, failed: 1 };
  }
  if (args.length === 0) add(await runChecks());
  else console.log('(A part of the tests was asked for: the checks are left out, see "npm run check".)');

  const { usable, counts } = await withBrowserOrWithout(projects);
  add(counts);
  if (usable.length > 0) add(await runVitest({ projects: usable, filters }));
  return totals;
}

/** Without a browser the e2e project is left out: a failure in CI, something to know about elsewhere. */
async function withBrowserOrWithout(projects) {
  const inBrowser = projects.filter((name) => IN_A_BROWSER.includes(name));
  if (inBrowser.length === 0) return { usable: projects, counts: {} };
  const chromium = await ensureChromium({ log: console.log });
  if (typeof chromium === 'string') return { usable: projects, counts: {} };
  const inCi = process.env.CI === 'true' || process.env.CI === '1';
  console.log(`${inCi ? '✖' : '!'} Browser tests cannot run: ${chromium.missing}`);
  return {
    usable: projects.filter((name) => !inBrowser.includes(name)),
    counts: inCi ? { failed: 1 } : { skipped: 1 },
  };
}
