import type { McpServerDefinition } from '@plinth/protocol';

function matches(name: string, glob: string): boolean {
  const pattern = glob
    .split('*')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`, 's').test(name);
}

/** Whether a tool of a server is taken: included by one of its globs, and excluded by none. */
export function isTaken(
  name: string,
  { include, exclude }: Pick<McpServerDefinition, 'include' | 'exclude'>,
): boolean {
  return include.some((glob) => matches(name, glob)) && !exclude.some((glob) => matches(name, glob));
}
