import { type ChatRequest, textOf } from '../api/chat-request.js';
import { estimateTokens } from '../replies/estimate-tokens.js';
import type { Scenario } from './scenario.js';

/** What every summary of the simulator begins with, to find it again in later requests. */
export const SUMMARY_OPENING = 'Summary by the simulator';

const ASKS_FOR_SUMMARY = /\bsummar(y|i[sz])/i;

/**
 * Answers requests for a summary of a conversation: those without tools whose instructions ask for one. The summary says
 * how much it is of, so that two of them differ.
 */
export const summariser: Scenario = {
  name: 'summariser',
  matches: (request) => !request.tools && ASKS_FOR_SUMMARY.test(instructionsOf(request)),
  reply: ({ request }) => {
    const text = request.messages.map(({ content }) => textOf(content)).join('\n');
    return {
      text: `${SUMMARY_OPENING}: ${request.messages.length} messages, ${estimateTokens(text)} tokens.`,
    };
  },
};

function instructionsOf({ messages }: ChatRequest): string {
  return messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => textOf(content))
    .join('\n');
}
