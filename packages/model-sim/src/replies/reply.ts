import type { JsonObject } from '../api/chat-request.js';

/** What the simulated model says in one turn. Without tool calls the turn is final. */
export type Reply = {
  text?: string;
  /** Sent as `reasoning_content`, the field that compatible servers use for visible thinking. */
  reasoning?: string;
  toolCalls?: ReplyToolCall[];
};

/** Arguments given as a string are sent as they are, so that a test can make the model write broken JSON. */
export type ReplyToolCall = { name: string; arguments: JsonObject | string };
