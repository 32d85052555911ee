'use client';
import type { Plinth } from '@plinth/client';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { type ComponentRegistry, createComponentRegistry } from './component-registry.js';

type PlinthContextValue = { plinth: Plinth; components: ComponentRegistry };

const PlinthContext = createContext<PlinthContextValue | null>(null);

export type PlinthProviderProps = {
  /** Made once by `createPlinth`, outside of any component. */
  plinth: Plinth;
  children?: ReactNode;
};

/** Gives the client, and a registry for the host's components, to everything below it. */
export function PlinthProvider({ plinth, children }: PlinthProviderProps) {
  const [components] = useState(createComponentRegistry);
  const value = useMemo(() => ({ plinth, components }), [plinth, components]);
  return <PlinthContext.Provider value={value}>{children}</PlinthContext.Provider>;
}

/** The client and the component registry of the nearest provider. */
export function usePlinthContext(): PlinthContextValue {
  const value = useContext(PlinthContext);
  if (!value) throw new Error('Plinth hooks need <PlinthProvider plinth={...}> above them.');
  return value;
}

/** The client of the nearest `PlinthProvider`. */
export function usePlinth(): Plinth {
  return usePlinthContext().plinth;
}
