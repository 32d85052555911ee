/**
 * What a page has to load is bounded: the budgets of the SDK, in bytes of gzip -9 with React left out. And the protocol's code,
 * zod with it, must not come along: a page needs its types only.
 */
import { buildCdn, cdnModules, cdnSizes } from '../setup/build-cdn.mjs';
import { measureBundle } from './measure-bundle.mjs';

const REACT = ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client'];
const KILOBYTE = 1000;

const BUDGETS = [
  { name: '@plinth/client', imports: ['@plinth/client'], external: REACT, limitKb: 15 },
  {
    name: '@plinth/client/tabs',
    imports: ['@plinth/client/tabs'],
    external: ['@plinth/client'],
    limitKb: 2.5,
  },
  {
    name: '@plinth/react, hooks alone',
    imports: ['@plinth/react'],
    external: [...REACT, '@plinth/client'],
    limitKb: 6,
  },
  {
    name: '@plinth/client and the hooks',
    imports: ['@plinth/client', '@plinth/react'],
    external: REACT,
    limitKb: 20,
  },
  {
    name: '@plinth/react/ui, what it loads at once',
    imports: ['@plinth/react/ui'],
    external: [...REACT, '@plinth/client'],
    limitKb: 60,
  },
];

/** Files as a CDN sends them. The workspace and its editors are loaded when something is opened. */
const CDN_BUDGETS = [
  { name: 'plinth.global.js, with React', limitKb: 114, files: () => ['plinth.global.js'] },
  { name: 'plinth.js', limitKb: 52, files: () => ['plinth.js'] },
  { name: 'plinth.css', limitKb: 6.2, files: () => ['plinth.css'] },
  {
    name: 'plinth.workspace.js, what it loads at once',
    limitKb: 25,
    files: () => [...cdnModules('plinth.workspace.js')],
  },
];

/** The protocol's code; and editors, which come with the first artifact that needs one. */
const UNWANTED =
  /\/packages\/protocol\/|\/node_modules\/.*(?:\bzod\b|@codemirror|@lezer|papaparse|react-virtual|node-diff3)/;

/** Prints a line a budget. Returns how many hold and how many do not. */
export async function checkSizes() {
  let failed = 0;
  for (const { name, imports, external, limitKb } of BUDGETS) {
    const { bytes, modules } = await measureBundle({ imports, external });
    const foreign = modules.filter((id) => UNWANTED.test(id));
    if (!isWithin(name, bytes, limitKb, foreign.length === 0)) failed += 1;
    if (foreign.length > 0)
      console.log(`  Import types only, and editors lazily. These would come along: ${foreign.join(', ')}`);
  }
  await buildCdn({ log: () => {} });
  const sizes = cdnSizes();
  for (const { name, limitKb, files } of CDN_BUDGETS) {
    const bytes = files().reduce((sum, file) => sum + sizes[file], 0);
    if (!isWithin(name, bytes, limitKb)) failed += 1;
  }
  return { passed: BUDGETS.length + CDN_BUDGETS.length - failed, failed };
}

function isWithin(name, bytes, limitKb, isClean = true) {
  const isGood = bytes <= limitKb * KILOBYTE && isClean;
  const kilobytes = (bytes / KILOBYTE).toFixed(1);
  console.log(`${isGood ? '✔' : '✖'} Size of ${name}: ${kilobytes} of ${limitKb} kB (gzip)`);
  return isGood;
}
