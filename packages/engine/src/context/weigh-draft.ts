import type { ContextPolicy } from './context-policy.js';
import type { Draft } from './draft-request.js';

/**
 * A draft against the two budgets. Tokens are an upper bound: counted texts times what the provider's own counts have shown,
 * and pictures by formula. A token has a byte at least, so what has few bytes is not counted.
 */
export interface Scales {
  policy: ContextPolicy;
  /** What a counted token is for the provider. */
  calibration: number;
}

export const bytesOfDraft = ({ textBytes, pictureBytes }: Draft): number => textBytes + pictureBytes;

/** Counts in full. */
export const tokensOfDraft = ({ calibration }: Scales, draft: Draft): number =>
  Math.ceil(draft.textTokens * calibration) + draft.pictureTokens;

export function exceedsTokens(scales: Scales, draft: Draft, limit: number): boolean {
  const most = Math.ceil(draft.textBytes * Math.max(1, scales.calibration)) + draft.pictureTokens;
  return most > limit && tokensOfDraft(scales, draft) > limit;
}

/** Which budget asks for a smaller request; null when none does. */
export function overloadOf(scales: Scales, draft: Draft): 'bytes' | 'tokens' | null {
  const { compactAtBytes, compactAtTokens } = scales.policy;
  if (bytesOfDraft(draft) > compactAtBytes) return 'bytes';
  return exceedsTokens(scales, draft, compactAtTokens) ? 'tokens' : null;
}

/** Whether it has become so small that the next turns need no other cut. `reserve`: tokens that are still to come. */
export function isLight(scales: Scales, draft: Draft, reserve = 0): boolean {
  const { compactToBytes, compactToTokens } = scales.policy;
  return bytesOfDraft(draft) <= compactToBytes && !exceedsTokens(scales, draft, compactToTokens - reserve);
}

/** What the endpoint itself would refuse; null when it takes it. */
export function wallOf(scales: Scales, draft: Draft): 'bytes' | 'tokens' | null {
  const { profile, budgetTokens } = scales.policy;
  if (bytesOfDraft(draft) > profile.bodyBytes) return 'bytes';
  return exceedsTokens(scales, draft, budgetTokens) ? 'tokens' : null;
}
