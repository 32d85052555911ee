'use client';
import type { JsonObject, JsonValue } from '@plinth/protocol';
import { type ComponentType, useEffect, useSyncExternalStore } from 'react';
import { type ComponentTools, noComponentTools } from './component-registry.js';
import type { ComponentToolProps } from './component-tool-props.js';
import { usePlinthContext } from './plinth-provider.js';

/**
 * Registers a component under the name that a component tool uses, for as long as the caller is mounted.
 * Pass a component that keeps its identity (defined outside of the caller): a new one starts with empty fields.
 */
export function useComponentTool<Props extends JsonObject = JsonObject, Value extends JsonValue = JsonValue>(
  name: string,
  component: ComponentType<ComponentToolProps<Props, Value>>,
): void {
  const { components } = usePlinthContext();
  // The tool's own schemas decide what props and value are; the host states here what it knows of them.
  useEffect(
    () => components.register(name, component as unknown as ComponentType<ComponentToolProps>),
    [components, name, component],
  );
}

/** All registered components by name. */
export function useComponentTools(): ComponentTools {
  const { components } = usePlinthContext();
  return useSyncExternalStore(components.subscribe, components.getSnapshot, noComponentTools);
}
