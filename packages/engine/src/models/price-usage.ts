import type { TenantConfig, Usage } from '@plinth/protocol';

const MILLION = 1_000_000;

/**
 * Tokens with what they cost. Cached input tokens are among the input tokens, as OpenAI counts them, and have a price of
 * their own. Without a price nothing is added.
 */
export function priceUsage(usage: Usage, price: TenantConfig['model']['price']): Usage {
  if (price === null) return usage;
  const { inputTokens, cachedInputTokens, outputTokens } = usage;
  const cost =
    Math.max(0, inputTokens - cachedInputTokens) * price.inputPerMillion +
    cachedInputTokens * price.cachedInputPerMillion +
    outputTokens * price.outputPerMillion;
  return { ...usage, cost: cost / MILLION };
}
