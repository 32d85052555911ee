import { type Event, EventType, type RunAgentInput } from '@ag-ui/core';

/**
 * Clients from before AG-UI 1.0 send no `protocolVersion`, and check strictly what comes: an outcome that they do not know
 * ends their run as a failure of the protocol.
 */
export const isBefore1 = ({ protocolVersion }: Pick<RunAgentInput, 'protocolVersion'>): boolean =>
  protocolVersion === undefined;

/**
 * The end of a run in the words that AG-UI had before 1.0.
 *
 * Left-over calls of frontend tools had no list: a run without an outcome is a success too, and those clients then look for
 * calls without a result themselves (with an outcome, assistant-ui does not). A cancelled run could not be told from a
 * finished one, so it is an error with a code.
 */
export function endBefore1(end: Event): Event {
  if (end.type !== EventType.RUN_FINISHED || end.outcome === undefined) return end;
  const { outcome, ...rest } = end;
  switch (outcome.type) {
    case 'interrupt':
      return end;
    case 'success':
      return outcome.pendingToolCallIds === undefined ? end : rest;
    case 'cancelled':
      return { type: EventType.RUN_ERROR, code: 'run_cancelled', message: 'The run was cancelled.' };
  }
}
