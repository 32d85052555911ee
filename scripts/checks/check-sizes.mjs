/**
 * What a page has to load is bounded: the budgets of the SDK, in bytes of gzip -9 with React left out. And the protocol's code,
 * zod with it, must not come along: a page needs its types only.
 */
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

/** The protocol's code; and editors, which come with the first artifact that needs one. */
const UNWANTED =
  /\/packages\/protocol\/|\/node_modules\/.*(?:\bzod\b|@codemirror|@lezer|papaparse|react-virtual|node-diff3)/;

/** Prints a line a budget. Returns how many hold and how many do not. */
export async function checkSizes() {
  let failed = 0;
  for (const { name, imports, external, limitKb } of BUDGETS) {
    const { bytes, modules } = await measureBundle({ imports, external });
    const foreign = modules.filter((id) => UNWANTED.test(id));
    const isGood = bytes <= limitKb * KILOBYTE && foreign.length === 0;
    if (!isGood) failed += 1;
    console.log(
      `${isGood ? '✔' : '✖'} Size of ${name}: ${(bytes / KILOBYTE).toFixed(1)} of ${limitKb} kB (gzip)`,
    );
    if (foreign.length > 0)
      console.log(`  Import types only, and editors lazily. These would come along: ${foreign.join(', ')}`);
  }
  return { passed: BUDGETS.length - failed, failed };
}
