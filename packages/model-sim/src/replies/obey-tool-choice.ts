import type { Conversation } from '../conversation/conversation.js';
import type { Reply } from './reply.js';

/** Said where a scenario wanted to call tools only, and none of them may be called. */
const NO_TOOL = 'I would call a tool, but it may not be called now.';

/** What the real API makes of `tool_choice`: a tool that it forbids in this turn is never called. */
export function obeyToolChoice(reply: Reply, conversation: Conversation): Reply {
  const choice = conversation.request.tool_choice ?? 'auto';
  if (reply.toolCalls === undefined || choice === 'auto' || choice === 'required') return reply;
  const toolCalls = reply.toolCalls.filter(({ name }) => conversation.mayCall(name));
  return { ...reply, toolCalls, ...(toolCalls.length === 0 && !reply.text && { text: NO_TOOL }) };
}
