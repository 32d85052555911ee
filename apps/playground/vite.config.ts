import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const CDN = join(import.meta.dirname, '../../packages/react/dist/cdn');

/** The files that a CDN would serve, for the plain page. Built before this one: see scripts/setup/build-cdn.mjs. */
const cdnFiles: Plugin = {
  name: 'cdn-files',
  apply: 'build',
  generateBundle() {
    for (const name of readdirSync(CDN))
      this.emitFile({ type: 'asset', fileName: `cdn/${name}`, source: readFileSync(join(CDN, name)) });
  },
};

// The page is built from the sources of the SDK's packages, so that it never runs against a stale dist.
export default defineConfig({
  base: '/playground/',
  plugins: [react(), cdnFiles],
  resolve: { conditions: ['@plinth/source', 'module', 'browser', 'development|production'] },
  build: { outDir: 'dist/web', emptyOutDir: true, sourcemap: false },
});
