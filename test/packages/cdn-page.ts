import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { type ServedPage, servePage } from '../support/serve-page.js';

const require = createRequire(import.meta.url);
const REACT = ['react', 'react/jsx-runtime', 'react-dom/client'];

export interface CdnPages {
  /** One script with React in it, and the module with the React of the page. */
  readonly forms: readonly ['global', 'module'];
  url(form: 'global' | 'module', query: string): string;
  readonly cdn: string;
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * A host of plain HTML that allows only what the docs say, and a CDN that has the built files and nothing else. React for the
 * module form comes from the host.
 *
 * @param api known only later: the server must know the host's origin
 */
export async function serveCdnPages(cdnFolder: string, api: () => string): Promise<CdnPages> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-cdn-'));
  const imports = JSON.stringify({
    imports: Object.fromEntries(REACT.map((module) => [module, `/react/${fileOf(module)}.js`])),
  });
  const inline = createHash('sha256').update(imports).digest('base64');
  const cdn = await servePage(cdnFolder, '', () => ({ 'access-control-allow-origin': '*' }));
  const host = await servePage(folder, '', () => ({
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' 'sha256-${inline}' ${cdn.url}`,
      `style-src 'self' ${cdn.url}`,
      `img-src data: ${api()}`,
      ...['connect-src', 'media-src', 'frame-src'].map((source) => `${source} ${api()}`),
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
  }));
  await writeFile(join(folder, 'page.css'), 'body { margin: 0; } plinth-chat { block-size: 100vh; }');
  await writeFile(join(folder, 'page.js'), PAGE_SCRIPT);
  await writeReact(join(folder, 'react'));
  const script = {
    global: `<script src="${cdn.url}/plinth.global.js"></script>`,
    module: `<script type="importmap">${imports}</script><script type="module" src="${cdn.url}/plinth.js"></script>`,
  };
  const write = (form: 'global' | 'module') =>
    writeFile(
      join(folder, `${form}.html`),
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>A careful host</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${cdn.url}/plinth.css"><link rel="stylesheet" href="page.css">
${script[form]}<plinth-chat agent="tester"></plinth-chat><script type="module" src="page.js"></script></html>`,
    );
  await Promise.all([write('global'), write('module')]);
  return {
    forms: ['global', 'module'],
    cdn: cdn.url,
    origin: host.url,
    url: (form, query) => `${host.url}/${form}.html?api=${encodeURIComponent(api())}&${query}`,
    close: async () => {
      await closeAll([host, cdn]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const closeAll = (pages: ServedPage[]) => Promise.all(pages.map((page) => page.close()));

const PAGE_SCRIPT = `const query = new URLSearchParams(location.search);
const chat = document.querySelector('plinth-chat');
for (const name of ['theme', 'language', 'workspace', 'thread'])
  if (query.has(name)) chat.setAttribute(name, query.get(name));
chat.setAttribute('base-url', query.get('api'));
chat.auth = () => query.get('token');
`;

const fileOf = (module: string) => module.replaceAll('/', '-');

/** React as modules, as a CDN rewrites it: its package has none. */
async function writeReact(outDir: string): Promise<void> {
  const entries = new Map(
    REACT.map((module) => {
      const names = Object.keys(require(module) as object).filter((name) => /^\w+$/.test(name));
      const source = `import all from '${module}'; export default all; export const { ${names.join(', ')} } = all;`;
      return [`\0${fileOf(module)}`, source];
    }),
  );
  await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'react-modules',
        resolveId: (id) => (entries.has(id) ? id : null),
        load: (id) => entries.get(id) ?? null,
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(REACT.map((module) => [fileOf(module), `\0${fileOf(module)}`])),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
}
