/**
 * What a CDN serves: `plinth.global.js` (one script with React inside), `plinth.js` (a module; React is the page's), and for
 * both `plinth.css` and `plinth.workspace.js`, which is loaded with the first product, its editors in `workspace/`. Built from
 * the sources of the SDK's packages, so that they never hold a stale dist.
 */
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { reactOfHost } from './react-of-host.js';

const REACT_OF_PAGE = [/^react($|\/)/, /^react-dom($|\/)/];

const FORMS = {
  global: { entry: 'global.ts', format: 'iife', file: 'plinth.global.js', external: [] },
  module: { entry: 'module.ts', format: 'es', file: 'plinth.js', external: REACT_OF_PAGE },
  workspace: { entry: 'workspace.ts', format: 'es', file: 'plinth.workspace.js', external: [] },
} as const;

/** `--mode global`, `module` or `workspace`. */
export default defineConfig(({ mode }) => {
  const form = FORMS[mode as keyof typeof FORMS];
  const isWorkspace = mode === 'workspace';
  return {
    root: import.meta.dirname,
    resolve: { conditions: ['@plinth/source', 'module', 'browser', 'production'] },
    plugins: isWorkspace ? [reactOfHost()] : [],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: '../dist/cdn',
      // The global form is built first.
      emptyOutDir: mode === 'global',
      reportCompressedSize: false,
      // Those that know `light-dark()`: translated for older ones it would not follow the element's own `theme`.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      lib: {
        entry: join(import.meta.dirname, form.entry),
        name: 'Plinth',
        formats: [form.format],
        fileName: () => form.file,
        cssFileName: 'plinth',
      },
      rolldownOptions: {
        external: [...form.external],
        output: isWorkspace ? { chunkFileNames: 'workspace/[name]-[hash].js' } : { codeSplitting: false },
        // A bundle is for the browser anyway.
        onwarn: (warning, warn) => {
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
        },
      },
    },
  };
});
