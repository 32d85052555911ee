import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const CDN = join(import.meta.dirname, '../../packages/react/dist/cdn');

/** The files that a CDN would serve, for the plain page. Built before this one: see scripts/setup/build-cdn.mjs. */
const cdnFiles: Plugin = {
  name: 'cdn-files',
  apply: 'build',
  generateBundle() {
    for (const entry of readdirSync(CDN, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const fileName = `cdn/${relative(CDN, file).replaceAll('\\', '/')}`;
      this.emitFile({ type: 'asset', fileName, source: readFileSync(file) });
    }
  },
};

// The page is built from the sources of the SDK's packages, so that it never runs against a stale dist.
export default defineConfig({
  base: '/playground/',
  plugins: [react(), cdnFiles],
  resolve: { conditions: ['@plinth/source', 'module', 'browser', 'development|production'] },
  build: { outDir: 'dist/web', emptyOutDir: true, sourcemap: false },
});
