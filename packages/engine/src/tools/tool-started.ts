import { type EventBody, executionLocationOf, type ToolDefinition } from '@plinth/protocol';
import type { ToolCall } from '../runs/run.js';
import { effectiveArguments, originalArguments } from './call-arguments.js';

/** Shows a call in the chat. Sent again when a person has edited the arguments: the newer one wins. */
export function toolStarted(call: ToolCall, tool: ToolDefinition | undefined): EventBody {
  return {
    type: 'tool.started',
    turn: call.turnIndex,
    callId: call.id,
    tool: call.tool,
    title: tool?.title ?? call.tool,
    location: tool ? executionLocationOf(tool.executor) : 'server',
    arguments: effectiveArguments(call),
    ...originalArguments(call),
  };
}
