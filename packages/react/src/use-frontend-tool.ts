'use client';
import type { FrontendToolSpec } from '@plinth/client';
import type { JsonObject } from '@plinth/protocol';
import { useEffect, useRef } from 'react';
import { usePlinth } from './plinth-provider.js';

/**
 * Lets the page carry out a frontend tool for as long as the caller is mounted. `execute` may be a new function with each
 * drawing: the newest one is called. What has begun goes on when the caller is gone.
 */
export function useFrontendTool<Args = JsonObject>(spec: FrontendToolSpec<Args>): void {
  const plinth = usePlinth();
  const newest = useRef(spec);
  useEffect(() => {
    newest.current = spec;
  });
  const { name, parameters, permission } = spec;
  useEffect(
    () =>
      plinth.registerTool<Args>({
        name,
        ...(parameters ? { parameters } : {}),
        ...(permission ? { permission } : {}),
        execute: (args, context) => newest.current.execute(args, context),
      }),
    [plinth, name, parameters, permission],
  );
}
