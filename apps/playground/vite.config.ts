import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The page is built from the sources of the SDK's packages, so that it never runs against a stale dist.
export default defineConfig({
  base: '/playground/',
  plugins: [react()],
  resolve: { conditions: ['@plinth/source', 'module', 'browser', 'development|production'] },
  build: { outDir: 'dist/web', emptyOutDir: true, sourcemap: false },
});
