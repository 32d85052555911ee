import { badRequest } from '../api/api-error.js';
import type { ChatMessage } from '../api/chat-request.js';

type OpenCalls = { asked: Set<string>; answeredAt: Map<string, number> };

/**
 * Refuses a conversation in which a tool call has no result, a result has no call, or a call has two results.
 * Results must stand directly behind the assistant message that asked for them, in any order.
 */
export function validateToolPairing(messages: ChatMessage[]): void {
  let open: OpenCalls | null = null;
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      acceptResult(open, message.tool_call_id, index);
      return;
    }
    refuseUnanswered(open, index);
    open = message.role === 'assistant' && message.tool_calls ? openCallsOf(message.tool_calls) : null;
  });
  refuseUnanswered(open, messages.length);
}

function openCallsOf(calls: { id: string }[]): OpenCalls {
  return { asked: new Set(calls.map((call) => call.id)), answeredAt: new Map() };
}

function acceptResult(open: OpenCalls | null, id: string, index: number): void {
  if (!open) {
    throw badRequest(
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      `messages.[${index}].role`,
    );
  }
  const param = `messages.[${index}].tool_call_id`;
  if (!open.asked.has(id)) {
    throw badRequest(
      `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
      param,
    );
  }
  const earlier = open.answeredAt.get(id);
  if (earlier !== undefined) {
    throw badRequest(
      `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}', in messages[${earlier}] and messages[${index}].`,
      param,
    );
  }
  open.answeredAt.set(id, index);
}

function refuseUnanswered(open: OpenCalls | null, index: number): void {
  if (!open) return;
  const missing = [...open.asked].filter((id) => !open.answeredAt.has(id));
  if (missing.length === 0) return;
  throw badRequest(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(', ')}`,
    `messages.[${index}].role`,
  );
}
