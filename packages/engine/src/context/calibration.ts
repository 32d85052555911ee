import type { Turn } from '../runs/run.js';

/** How far the counts of a provider may lead ours to be corrected: beyond it something else is wrong. */
const LEAST = 0.9;
const MOST = 1.6;

/**
 * What a token as it is counted here is for the provider: from its own count for the last request of this run that was counted
 * here in full. From the rows alone, so that every worker comes to the same.
 */
export function calibrationOf(turns: readonly Pick<Turn, 'context' | 'usage'>[]): number {
  let factor = 1;
  for (const { context, usage } of turns) {
    if (context === null || !context.tokensExact || usage.inputTokens === 0) continue;
    const pictures = context.accounts.images?.tokens ?? 0;
    const counted = (context.tokens - pictures) / factor;
    const real = usage.inputTokens - pictures;
    if (counted > 0 && real > 0) factor = Math.min(MOST, Math.max(LEAST, real / counted));
  }
  return factor;
}
