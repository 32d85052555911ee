/**
 * The public types of the packages as text, in `api-surface/`, so that a change of the API is seen in review. The texts are made of
 * the declaration files that the compiler has written; they hold every exported name with its declaration, without comments.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from '../lib/paths.mjs';

const ENTRIES = {
  client: 'packages/client/dist/index.d.ts',
  'client-recording': 'packages/client/dist/recording/index.d.ts',
  'client-tabs': 'packages/client/dist/tabs/index.d.ts',
  'client-server': 'packages/client/dist/server/index.d.ts',
  react: 'packages/react/dist/index.d.ts',
  'react-ui': 'packages/react/dist/ui/index.d.ts',
  'react-inspector': 'packages/react/dist/inspector/index.d.ts',
  'react-testing': 'packages/react/dist/testing/index.d.ts',
};

/** The top-level statements of a declaration file: each begins at the start of a line. */
export function statementsOf(text) {
  const bare = text.replace(/^\/\/.*$/gm, '').replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n?/gm, '');
  return bare
    .split(/^(?=(?:export|import|declare|type|interface|const)\b)/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

const RE_EXPORT = /^export (?:type )?\{([^}]*)\} from '([^']+)';$/s;
const DECLARED = /^export (?:declare )?(?:abstract )?(?:const|function|class|type|interface) (\w+)/;

/** Every exported name with its declaration, or with the package that it comes from. */
export function surfaceOf(file) {
  const surface = new Map();
  for (const statement of statementsOf(readFileSync(file, 'utf8'))) {
    const [, names, from] = RE_EXPORT.exec(statement) ?? [];
    const [, declared] = DECLARED.exec(statement) ?? [];
    if (declared) surface.set(declared, [...(surface.get(declared) ?? []), statement]);
    if (!names) continue;
    const inner = from.startsWith('.')
      ? surfaceOf(resolve(dirname(file), from.replace(/\.js$/, '.d.ts')))
      : new Map();
    for (const name of names.split(',').map((one) => one.trim().replace(/^type /, ''))) {
      if (name !== '') surface.set(name, inner.get(name) ?? [`export { ${name} } from '${from}';`]);
    }
  }
  return surface;
}

const toText = (surface) =>
  `${[...surface]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, statements]) => statements.join('\n'))
    .join('\n\n')}\n`;

/** Compares the texts with the declarations, or writes them anew. Prints what differs. */
export function checkApiSurface({ fix = false } = {}) {
  let failed = 0;
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const path = join(root, 'api-surface', `${name}.txt`);
    const text = toText(surfaceOf(join(root, entry)));
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    if (fix) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    } else failed += 1;
  }
  console.log(`${failed === 0 ? '✔' : '✖'} Public types of the packages`);
  if (failed > 0)
    console.log(
      '  They have changed. Look at what "npm run check -- --fix" makes of api-surface/, and commit it.',
    );
  return { passed: failed === 0 ? 1 : 0, failed: failed === 0 ? 0 : 1 };
}
