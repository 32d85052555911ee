import type { ToolDefinition } from '@plinth/protocol';
import type { Decision } from '../runs/ledger-change.js';
import type { Interrupt, ToolCall } from '../runs/run.js';
import { failCall } from '../tools/settle-call.js';

interface Expired {
  call: ToolCall;
  tool: ToolDefinition | undefined;
  interrupt: Interrupt;
  now: number;
}

const NO_CLIENT =
  'No page that can do this was open. Ask the user to open the page of this product, then call it again.';
const TOO_SLOW = "The user's page had begun this and did not end in time.";
const NOT_RERUN =
  "The user's page had begun this and went away, and no other page took it over. It may be called again.";
const LOST = "The user's page had begun this and went away.";

/**
 * The time of a frontend tool has passed. What that means depends on how far a page had come: none took it, so nothing
 * has happened; or one had begun, and went away or was too slow.
 */
export function expireFrontend({ call, tool, interrupt, now }: Expired): Decision {
  const { lease } = interrupt;
  const recovery = tool?.executor.kind === 'frontend' ? tool.executor.recovery : 'fail';
  if (lease === null) return failCall(call, 'expired', { code: 'no_client', message: NO_CLIENT }, now);
  if (lease.until > (interrupt.answeredAt ?? now))
    return failCall(call, 'unknown', { code: 'timed_out', message: TOO_SLOW }, now);
  if (recovery === 'rerun')
    return failCall(call, 'expired', { code: 'client_lost', message: NOT_RERUN }, now);
  if (recovery === 'fail') return failCall(call, 'unknown', { code: 'client_lost', message: LOST }, now);
  // As after the death of a worker: begun, and nobody holds it. The next step asks the person what became of it.
  const set = { status: 'started', startedAt: lease.since, startedFence: 0 } as const;
  return { changes: [{ type: 'call.update', callId: call.id, set }], events: [] };
}
