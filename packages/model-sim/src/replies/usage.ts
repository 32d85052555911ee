import type { ChatRequest, ToolCallMessage } from '../api/chat-request.js';
import { estimateTokens } from './estimate-tokens.js';
import { fixedImageTokens, type PromptPiece, promptPieces } from './prompt-pieces.js';

const ANSWER_OPENING = 3;

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

/** A prompt that has been counted, and what of it came from the cache. */
export type CountedPrompt = { tokens: number; cachedTokens: number };

/** Tokens of a whole prompt. */
export function promptTokens(pieces: readonly PromptPiece[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, ANSWER_OPENING);
}

/** Without a persona: images at a fixed price, and nothing is ever cached. */
export function countPlainly(request: ChatRequest): CountedPrompt {
  return { tokens: promptTokens(promptPieces(request, fixedImageTokens)), cachedTokens: 0 };
}

/** The `usage` object of a completion. */
export function usageOf(
  prompt: CountedPrompt,
  answer: { text: string; reasoning: string; toolCalls: ToolCallMessage[] },
): Usage {
  const reasoning = estimateTokens(answer.reasoning);
  const completion = reasoning + estimateTokens(answer.text) + callTokens(answer.toolCalls);
  return {
    prompt_tokens: prompt.tokens,
    completion_tokens: completion,
    total_tokens: prompt.tokens + completion,
    prompt_tokens_details: { cached_tokens: prompt.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function callTokens(calls: ToolCallMessage[]): number {
  return calls.reduce(
    (sum, call) => sum + estimateTokens(call.function.name) + estimateTokens(call.function.arguments),
    0,
  );
}
