import type { ContextAccounts, ContextReason } from '@plinth/protocol';
import type { ImageRef, ImageStep } from '../images/image-ref.js';
import { weighAccounts } from './context-accounts.js';
import type { ContextCut } from './context-cut.js';
import type { ContextPolicy } from './context-policy.js';
import { contextReasons, namedFrom } from './context-reasons.js';
import { currentRunFrom, type Unit, unitsOf } from './conversation-units.js';
import { type Draft, type DraftParts, draftRequest, fixedBytes, fixedTokens } from './draft-request.js';
import { PictureFitting } from './fit-pictures.js';
import { TextFitting } from './fit-text.js';
import type { FixedInputs } from './fixed-inputs.js';
import type { KnownPictures } from './known-pictures.js';
import { summaryMaterial } from './summary-material.js';
import { bytesOfDraft, overloadOf, type Scales, tokensOfDraft, wallOf } from './weigh-draft.js';

/**
 * How the next request to the model is made: a pure function of what is always in it, of the conversation, of what its
 * endpoint takes and of what was left out before. The same input is the same bytes. What it needs from outside (sizes of
 * pictures, a summary) it asks for by its answer, and is asked again.
 */
export interface PlanInput {
  fixed: FixedInputs;
  /** Provider messages as JSON text from the root to here, pictures by reference. */
  messages: readonly string[];
  cut: ContextCut;
  policy: ContextPolicy;
  known: KnownPictures;
  /** What a counted token is for the provider: see `calibration.ts`. */
  calibration: number;
  /** Whether all tokens are counted, however far the walls are. */
  inFull?: boolean;
}

export type ContextPlan =
  | ({ kind: 'fits' } & FittingPlan)
  /** Sizes that have to be known first. */
  | { kind: 'needs_variants'; wanted: { image: ImageRef; step: ImageStep }[] }
  /** Exchanges leave. With the summary of `material` in it, or without one, `cut` is the cut to plan with. */
  | { kind: 'needs_summary'; cut: ContextCut; material: string }
  | { kind: 'unfit'; problem: Unfit };

export interface FittingPlan {
  cut: ContextCut;
  draft: Draft;
  /** Exactly as many as will be sent. */
  bytes: number;
  /** An upper bound when `tokensExact`, else about. */
  tokens: number;
  tokensExact: boolean;
  accounts: ContextAccounts;
  reasons: ContextReason[];
}

/** A request that nothing more can be taken out of. */
export interface Unfit {
  wall: 'bytes' | 'tokens';
  /** How much it would be, and how much the endpoint takes. */
  needed: number;
  allowed: number;
  /** What of it is in every request. */
  fixed: number;
}

/** Tokens of the words around a summary. */
const AROUND_SUMMARY = 40;

export function planContext(input: PlanInput): ContextPlan {
  const { fixed, policy, known, calibration } = input;
  const units = unitsOf(input.messages);
  const runFrom = currentRunFrom(units);
  const parts: DraftParts = { fixed, units, known, profile: policy.profile };
  const scales: Scales = { policy, calibration };
  const draftOf = (cut: ContextCut) => draftRequest(parts, cut);
  const fitPictures = (draft: Draft): Draft => {
    if (draft.pictures.length === 0) return draft;
    const cut = new PictureFitting(parts, policy, runFrom, draft).fit();
    return cut === draft.cut ? draft : draftOf(cut);
  };
  const reserve = policy.summary.enabled ? policy.summary.maxTokens + AROUND_SUMMARY : 0;
  const fitText = (draft: Draft): Draft =>
    overloadOf(scales, draft) === null
      ? draft
      : new TextFitting(parts, scales, runFrom, draftOf, reserve).fit(draft);

  const first = draftOf(input.cut);
  // A guess of what a picture weighs is that of its original: on it alone nothing may be made smaller.
  const unknown = unknownIn(first);
  if (unknown.length > 0) return { kind: 'needs_variants', wanted: unknown };
  // Where the texts are most of what is too much, pictures would go for nothing.
  const isMostlyText = first.textBytes > policy.compactAtBytes / 2;
  const fitted = fitText(fitPictures(isMostlyText ? fitText(first) : first));

  const wanted = unknownIn(fitted);
  if (wanted.length > 0) return { kind: 'needs_variants', wanted };
  const wall = wallOf(scales, fitted);
  if (wall !== null) return { kind: 'unfit', problem: unfit(wall, scales, parts, fitted) };
  const cut = withoutForgotten(fitted.cut, input.cut, units);
  if (cut.from > input.cut.from && policy.summary.enabled) {
    const leaving = units.slice(input.cut.from, cut.from);
    return { kind: 'needs_summary', cut, material: summaryMaterial(leaving, input.cut, policy.summary) };
  }
  return {
    kind: 'fits',
    cut,
    draft: fitted,
    bytes: bytesOfDraft(fitted),
    ...weighAccounts(scales, fixed, fitted, input.inFull === true),
    reasons: contextReasons(units, fitted),
  };
}

const unknownIn = ({ pictures }: Draft) =>
  pictures.flatMap(({ image, step, picture }) => (picture === null ? [{ image, step }] : []));

/** Rungs of pictures that no message names any more need not be known. What was refused once stays known. */
function withoutForgotten(cut: ContextCut, before: ContextCut, units: readonly Unit[]): ContextCut {
  if (cut.from === before.from) return cut;
  const named = namedFrom(units, cut.from);
  const kept = <T>(record: Record<string, T>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(record).filter(([sha256, value]) => named.has(sha256) || value === 'rejected'),
    );
  return { ...cut, images: kept(cut.images), removed: kept(cut.removed) };
}

function unfit(wall: Unfit['wall'], scales: Scales, { fixed }: DraftParts, draft: Draft): Unfit {
  const { profile, budgetTokens } = scales.policy;
  const total = (amounts: Record<string, number>) => Object.values(amounts).reduce((sum, n) => sum + n, 0);
  return wall === 'bytes'
    ? { wall, needed: bytesOfDraft(draft), allowed: profile.bodyBytes, fixed: total(fixedBytes(fixed)) }
    : {
        wall,
        needed: tokensOfDraft(scales, draft),
        allowed: budgetTokens,
        fixed: Math.ceil(total(fixedTokens(fixed)) * scales.calibration),
      };
}
