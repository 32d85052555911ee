/** What an entry costs a page: minified as a host's bundler would do it, and compressed. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../lib/paths.mjs';

const ENTRY = '\0plinth-size';
/** Before any build: several run at once, and one would take what another has left for what was there. */
const environment = process.env.NODE_ENV;

/**
 * The bytes (gzip -9) of the chunks that are loaded at once; what the entry imports lazily is not among them. `modules` are the
 * files that went in.
 *
 * @param imports packages with all that they export; or `code`, one or more imports of names as a page has them
 * @param folder where the packages are installed: this workspace, unless said otherwise
 */
export async function measureBundle({ imports = [], code = exportAll(imports), external, folder = root }) {
  // Not at the top: the command that checks this also installs it.
  const { build } = await import('vite');
  const output = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions: ['@plinth/source', 'module', 'browser', 'production'] },
    plugins: [virtualEntry(code, folder)],
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

const exportAll = (imports) => imports.map((name) => `export * from '${name}';`).join('\n');

/** What is imported is exported again: else nothing of it would be left. */
const kept = (code) => code.replaceAll(/^import|; import/g, (word) => word.replace('import', 'export'));

const virtualEntry = (code, folder) => ({
  name: 'plinth-size-entry',
  resolveId: {
    order: 'pre',
    handler(id, importer) {
      if (id === ENTRY) return id;
      // A virtual file has no folder of its own to look from.
      return importer === ENTRY ? this.resolve(id, join(folder, 'entry.js'), { skipSelf: true }) : null;
    },
  },
  load: (id) => (id === ENTRY ? kept(code) : null),
});
