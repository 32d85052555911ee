import { createHash } from 'node:crypto';
import type { ChatRequest, ToolCallMessage } from '../api/chat-request.js';
import type { ReplyToolCall } from './reply.js';

const ID_CHARACTERS = 24;

/** An id for a completion: the same for the same request, another one for any other. */
export function completionIdOf(request: ChatRequest): string {
  return `chatcmpl-${digestOf(request, 'completion')}`;
}

/**
 * The wire form of a reply's calls. An id is a hash of the messages so far and the call's place, so that a
 * repeated request gets the same ids and a later turn of the conversation gets new ones.
 */
export function toolCallMessagesOf(request: ChatRequest, calls: ReplyToolCall[]): ToolCallMessage[] {
  return calls.map((call, index) => ({
    id: `call_${digestOf(request, `tool-call-${index}`)}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
}

function digestOf({ messages }: ChatRequest, salt: string): string {
  const hash = createHash('sha256');
  hash.update(`${messages.length}\n${salt}\n${JSON.stringify(messages)}`);
  return hash.digest('hex').slice(0, ID_CHARACTERS);
}
