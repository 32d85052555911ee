import type { ComponentType } from 'react';
import type { ComponentToolProps } from './component-tool-props.js';

/** The host's components by the name that its tools use. The newest registration of a name wins. */
export type ComponentTools = Readonly<Record<string, ComponentType<ComponentToolProps>>>;

export type ComponentRegistry = {
  register(name: string, component: ComponentType<ComponentToolProps>): () => void;
  subscribe(listener: () => void): () => void;
  getSnapshot(): ComponentTools;
};

const NONE: ComponentTools = {};

/** What a server renders: registrations are effects, and a server runs none. */
export const noComponentTools = (): ComponentTools => NONE;

export function createComponentRegistry(): ComponentRegistry {
  const listeners = new Set<() => void>();
  let registrations: { name: string; component: ComponentType<ComponentToolProps> }[] = [];
  let snapshot = NONE;

  function replace(next: typeof registrations): void {
    registrations = next;
    snapshot = Object.fromEntries(registrations.map(({ name, component }) => [name, component]));
    for (const listener of [...listeners]) listener();
  }

  return {
    register(name, component) {
      const registration = { name, component };
      replace([...registrations, registration]);
      return () => replace(registrations.filter((other) => other !== registration));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
  };
}
