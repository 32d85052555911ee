import {
  type ChatMessage,
  type ChatRequest,
  isJsonObject,
  type JsonObject,
  type ToolOffer,
  textOf,
} from '../api/chat-request.js';
import { type Language, languageOf } from './language.js';

/** One call that the model made earlier in the conversation, with its result. */
export type CallRecord = { id: string; name: string; arguments: JsonObject; result: string };

/** Readers over one request. A scenario learns everything it knows from here, so it cannot keep state. */
export class Conversation {
  constructor(readonly request: ChatRequest) {}

  /** Instructions: all system and developer texts, in order. */
  get systemText(): string {
    return this.request.messages
      .filter((message) => message.role === 'system' || message.role === 'developer')
      .map((message) => textOf(message.content))
      .join('\n');
  }

  get lastUserText(): string {
    return textOf(this.request.messages[this.#lastUserIndex]?.content);
  }

  /** What came after the last user message: the current run's own traffic. */
  get sinceLastUser(): ChatMessage[] {
    return this.request.messages.slice(this.#lastUserIndex + 1);
  }

  get language(): Language {
    return languageOf(this.lastUserText);
  }

  /** Definition of an offered tool; undefined when it is not offered. */
  tool(name: string): ToolOffer | undefined {
    return this.request.tools?.find((tool) => tool.function.name === name);
  }

  /** True when the tool is offered and `tool_choice` does not forbid it in this turn. */
  mayCall(name: string): boolean {
    const choice = this.request.tool_choice ?? 'auto';
    if (!this.tool(name) || choice === 'none') return false;
    if (typeof choice === 'string') return true;
    if (choice.type === 'function') return choice.function.name === name;
    return choice.allowed_tools.tools.some((tool) => tool.function.name === name);
  }

  /** The last call of a tool since the last user message, with its result. */
  lastCallOf(name: string): CallRecord | undefined {
    return callsIn(this.sinceLastUser).findLast((call) => call.name === name);
  }

  /** The last call of a tool before the last user message: what an earlier run did. */
  earlierCallOf(name: string): CallRecord | undefined {
    const earlier = this.request.messages.slice(0, Math.max(0, this.#lastUserIndex));
    return callsIn(earlier).findLast((call) => call.name === name);
  }

  /** All calls that have a result, of earlier runs too, in order. */
  get calls(): CallRecord[] {
    return callsIn(this.request.messages);
  }

  /** The calls since the last user message that have a result, in order. */
  get callsSinceLastUser(): CallRecord[] {
    return callsIn(this.sinceLastUser);
  }

  /** How many answers the model has already given since the last user message. */
  get turnsSinceLastUser(): number {
    return this.sinceLastUser.filter((message) => message.role === 'assistant').length;
  }

  get #lastUserIndex(): number {
    return this.request.messages.findLastIndex(
      (message, index, all) => message.role === 'user' && !showsResults(message, all[index - 1]),
    );
  }
}

/** Pictures of results come as a user's message behind them, since no endpoint takes them in a tool's. */
function showsResults({ content }: ChatMessage, before: ChatMessage | undefined): boolean {
  return before?.role === 'tool' && Array.isArray(content);
}

/** The text as a JSON value; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function callsIn(messages: ChatMessage[]): CallRecord[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []) : [],
  );
  const results = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'tool') results.set(message.tool_call_id, textOf(message.content));
  }
  return calls.flatMap((call) => {
    const result = results.get(call.id);
    if (result === undefined) return [];
    const parsed = parseJson(call.function.arguments);
    return [{ id: call.id, name: call.function.name, arguments: isJsonObject(parsed) ? parsed : {}, result }];
  });
}
