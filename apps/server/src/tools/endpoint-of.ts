import type { ToolExecutorSpec } from '@plinth/protocol';

/** Fields in which an executor names what it reaches, in the order in which they are looked for. */
const ADDRESSES = ['url', 'baseUrl', 'serverUrl'] as const;

/** Host and port of what carries out a tool; null when it is nothing that could be down by itself. */
export function endpointOf(spec: ToolExecutorSpec): string | null {
  const fields: Readonly<Record<string, unknown>> = spec;
  for (const name of ADDRESSES) {
    const address = fields[name];
    if (typeof address === 'string' && URL.canParse(address)) return new URL(address).host || null;
  }
  return null;
}
