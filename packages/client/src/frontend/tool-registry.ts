import type { FrontendToolSpec, FrontendTools } from './frontend-tool.js';

// biome-ignore lint/suspicious/noExplicitAny: the schema of each makes its arguments; here only the name counts
export type AnyToolSpec = FrontendToolSpec<any>;

/** What this page can do, by name. The newest registration of a name wins. */
export type ToolRegistry = {
  register(spec: AnyToolSpec): () => void;
  find(name: string): AnyToolSpec | undefined;
  subscribe(listener: () => void): () => void;
};

export function createToolRegistry(tools: FrontendTools): ToolRegistry {
  const listeners = new Set<() => void>();
  let specs = Object.entries(tools).map(([name, execute]): AnyToolSpec => ({ name, execute }));

  return {
    find: (name) => specs.findLast((spec) => spec.name === name),
    register(spec) {
      const own = { ...spec };
      specs = [...specs, own];
      for (const listener of [...listeners]) listener();
      return () => {
        specs = specs.filter((other) => other !== own);
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
