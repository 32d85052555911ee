import type { EventBody, ToolCallView } from '@plinth/protocol';
import { replaceAt } from './immutable-list.js';

type Started = Extract<EventBody, { type: 'tool.started' }>;

/** `pending` and `started` are open; every other status is final and is never left again. */
const isOpen = (call: ToolCallView): boolean => call.status === 'pending' || call.status === 'started';

/**
 * Adds a call, or updates one that is open (arguments may have been edited before it runs).
 * A call that came to its end stays as it is: the log may be read again over a later state.
 */
export function startCall(calls: ToolCallView[], event: Started): ToolCallView[] {
  const { callId, tool, title, location, turn, originalArguments } = event;
  const original = originalArguments === undefined ? {} : { originalArguments };
  const index = calls.findIndex((call) => call.callId === callId);
  const existing = calls[index];
  if (!existing) {
    const fresh = {
      progress: null,
      summary: null,
      error: null,
      artifactIds: [],
      visibility: 'chat',
    } as const;
    const started = {
      callId,
      tool,
      title,
      location,
      turn,
      status: 'started',
      arguments: event.arguments,
      ...original,
    } as const;
    return [...calls, { ...started, ...fresh, artifactIds: [] }];
  }
  if (!isOpen(existing)) return calls;
  return replaceAt(calls, index, {
    ...existing,
    tool,
    title,
    location,
    turn,
    status: 'started',
    arguments: event.arguments,
    ...original,
  });
}

/** Changes an open call. A call that is unknown or has ended is left alone. */
export function updateOpenCall(
  calls: ToolCallView[],
  callId: string,
  change: Partial<ToolCallView>,
): ToolCallView[] {
  const index = calls.findIndex((call) => call.callId === callId);
  const existing = calls[index];
  return existing && isOpen(existing) ? replaceAt(calls, index, { ...existing, ...change }) : calls;
}

/** Ends an open call: what its last event says, and no progress any more. */
export function endCall(calls: ToolCallView[], callId: string, end: Partial<ToolCallView>): ToolCallView[] {
  return updateOpenCall(calls, callId, { ...end, progress: null });
}
