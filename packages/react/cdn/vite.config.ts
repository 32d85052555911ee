/**
 * What a CDN serves: `plinth.global.js` (one script with React inside), `plinth.js` (a module; React is the page's), and
 * `plinth.css` for both. Built from the sources of the SDK's packages, so that they never hold a stale dist.
 */
import { join } from 'node:path';
import { defineConfig } from 'vite';

const FORMS = {
  global: { entry: 'global.ts', format: 'iife', file: 'plinth.global.js', external: [] },
  module: {
    entry: 'module.ts',
    format: 'es',
    file: 'plinth.js',
    external: [/^react($|\/)/, /^react-dom($|\/)/],
  },
} as const;

/** `--mode global` or `--mode module`. */
export default defineConfig(({ mode }) => {
  const form = FORMS[mode as keyof typeof FORMS];
  return {
    root: import.meta.dirname,
    resolve: { conditions: ['@plinth/source', 'module', 'browser', 'production'] },
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
        output: { codeSplitting: false },
        // A bundle is for the browser anyway.
        onwarn: (warning, warn) => {
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
        },
      },
    },
  };
});
