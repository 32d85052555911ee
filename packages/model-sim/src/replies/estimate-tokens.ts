/*
 * A deterministic stand-in for a tokenizer:
 *   text    = one token per CJK character + one per four other characters, rounded up
 *   message = text + names and arguments of its tool calls + 4 (role and separators)
 *   prompt  = all messages + tools as JSON text + 3 (the opening of the answer)
 *   image   = 85 with `detail: low`, 765 otherwise (the published figures for one 1024 px square)
 */
import type { ChatMessage, ChatRequest, Content, ToolCallMessage } from '../api/chat-request.js';

const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu;
const CHARACTERS_PER_TOKEN = 4;
const PER_MESSAGE = 4;
const ANSWER_OPENING = 3;
const IMAGE_LOW = 85;
const IMAGE_HIGH = 765;

export type Usage = {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number; audio_tokens: number };
  completion_tokens_details: {
    reasoning_tokens: number;
    audio_tokens: number;
    accepted_prediction_tokens: number;
    rejected_prediction_tokens: number;
  };
};

/** Tokens of a text by the formula at the top of this file. */
export function estimateTokens(text: string): number {
  const cjk = text.match(CJK)?.join('') ?? '';
  return [...cjk].length + Math.ceil((text.length - cjk.length) / CHARACTERS_PER_TOKEN);
}

/** The `usage` object of a completion. Nothing is ever cached. */
export function usageOf(
  request: ChatRequest,
  answer: { text: string; reasoning: string; toolCalls: ToolCallMessage[] },
): Usage {
  const tools = request.tools ? estimateTokens(JSON.stringify(request.tools)) : 0;
  const prompt = request.messages.reduce(
    (sum, message) => sum + messageTokens(message),
    tools + ANSWER_OPENING,
  );
  const reasoning = estimateTokens(answer.reasoning);
  const completion = reasoning + estimateTokens(answer.text) + callTokens(answer.toolCalls);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function messageTokens(message: ChatMessage): number {
  const calls = message.role === 'assistant' ? callTokens(message.tool_calls ?? []) : 0;
  return PER_MESSAGE + contentTokens(message.content) + calls;
}

function contentTokens(content: Content | null | undefined): number {
  if (content === null || content === undefined) return 0;
  if (typeof content === 'string') return estimateTokens(content);
  return content.reduce((sum, part) => {
    if (part.type === 'text') return sum + estimateTokens(part.text);
    if (part.type === 'image_url') return sum + (part.image_url.detail === 'low' ? IMAGE_LOW : IMAGE_HIGH);
    return sum;
  }, 0);
}

function callTokens(calls: ToolCallMessage[]): number {
  return calls.reduce(
    (sum, call) => sum + estimateTokens(call.function.name) + estimateTokens(call.function.arguments),
    0,
  );
}
