/** What an entry of ours costs a page: minified as a host's bundler would do it, and compressed. */
import { gzipSync } from 'node:zlib';
import { root } from '../lib/paths.mjs';

const ENTRY = '\0plinth-size';
/** Before any build: several run at once, and one would take what another has left for what was there. */
const environment = process.env.NODE_ENV;

/**
 * The bytes (gzip -9) of the chunks that are loaded at once; what the entry imports lazily is not among them. `modules` are the
 * files that went in.
 */
export async function measureBundle({ imports, external }) {
  // Not at the top: the command that checks this also installs it.
  const { build } = await import('vite');
  const output = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions: ['@plinth/source', 'module', 'browser', 'production'] },
    plugins: [virtualEntry(imports)],
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, external, preserveEntrySignatures: 'strict' },
    },
  });
  // A build of vite leaves "production" behind, for this process and all that it starts: no test would get the React for tests.
  if (environment === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = environment;
  const chunks = new Map(
    output.output.filter(({ type }) => type === 'chunk').map((one) => [one.fileName, one]),
  );
  const wanted = new Set();
  const take = (name) => {
    const chunk = chunks.get(name);
    if (!chunk || wanted.has(chunk)) return;
    wanted.add(chunk);
    for (const imported of chunk.imports) take(imported);
  };
  take([...chunks.values()].find(({ isEntry }) => isEntry)?.fileName);
  const bytes = [...wanted].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).byteLength, 0);
  return { bytes, modules: [...wanted].flatMap(({ moduleIds }) => moduleIds) };
}

const virtualEntry = (imports) => ({
  name: 'plinth-size-entry',
  resolveId: (id) => (id === ENTRY ? id : null),
  load: (id) => (id === ENTRY ? imports.map((name) => `export * from '${name}';`).join('\n') : null),
});
