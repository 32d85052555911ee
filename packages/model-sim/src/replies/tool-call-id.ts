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

/** Hashed once a request, however many ids it needs. */
const digests = new WeakMap<ChatRequest, string>();

function digestOf(request: ChatRequest, salt: string): string {
  let digest = digests.get(request);
  if (digest === undefined) {
    digest = createHash('sha256').update(JSON.stringify(request.messages)).digest('hex');
    digests.set(request, digest);
  }
  return createHash('sha256').update(`${salt}\n${digest}`).digest('hex').slice(0, ID_CHARACTERS);
}
