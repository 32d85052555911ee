import type { Reply } from '../replies/reply.js';
import type { Scenario } from './scenario.js';

/**
 * Plays a fixed list of replies, for tests. The step is the number of answers since the last user message, read
 * from the request, so a request sent twice gets the same step twice. Beyond the end the last step repeats.
 */
export function scripted(
  steps: Reply[],
  options: { name?: string; matches?: Scenario['matches'] } = {},
): Scenario {
  const last = steps.at(-1);
  if (!last) throw new Error('a scripted scenario needs at least one step');
  return {
    name: options.name ?? 'scripted',
    matches: options.matches ?? (() => true),
    reply: (conversation) => steps[conversation.turnsSinceLastUser] ?? last,
  };
}
