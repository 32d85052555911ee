import type { ChatRequest } from '../api/chat-request.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Reply } from '../replies/reply.js';

/** A rule that plays the model. Both functions must be pure: the same request gets the same reply, always. */
export type Scenario = {
  name: string;
  matches(request: ChatRequest): boolean;
  reply(conversation: Conversation): Reply;
};
