import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
const SHARED = { react: 'React', 'react/jsx-runtime': 'jsxRuntime' } as const;
const PREFIX = '\0host:';

/** Names that are exported by a module of React's. */
const namesOf = (module: string) => Object.keys(require(module)).filter((name) => /^\w+$/.test(name));

/** Has what is built take React from the file of the chat that loads it, whatever form that has. */
export function reactOfHost(): Plugin {
  return {
    name: 'react-of-host',
    enforce: 'pre',
    resolveId: (id) => (id in SHARED || id === 'react-dom' ? PREFIX + id : null),
    load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const module = id.slice(PREFIX.length);
      // All that is asked of it here, by the table: to draw at once while it scrolls. With the next frame is soon enough.
      if (module === 'react-dom') return 'export const flushSync = (draw) => draw();';
      const shared = `globalThis[Symbol.for('plinth.host')].${SHARED[module as keyof typeof SHARED]}`;
      return `const shared = ${shared}; export default shared; export const { ${namesOf(module).join(', ')} } = shared;`;
    },
  };
}
