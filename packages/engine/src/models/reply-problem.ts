import type { ModelReply } from './model-gateway.js';

/** What every endpoint takes as the name of a function. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Why an answer must not be kept; null when it may be. Every later request of the thread repeats the answer, and
 * an endpoint that gave it out may still refuse to take it back: the thread would be dead for ever.
 */
export function replyProblem({ toolCalls }: ModelReply): string | null {
  const ids = new Set(toolCalls.map((call) => call.id));
  if (ids.has('') || ids.size < toolCalls.length) return 'The model gave a tool call no id of its own.';
  const odd = toolCalls.find((call) => !NAME.test(call.name));
  return odd
    ? `The model called a tool by an impossible name: ${JSON.stringify(odd.name.slice(0, 80))}.`
    : null;
}
