import { callDigestOf } from '../approvals.js';
import { effectiveArguments } from '../call-arguments.js';
import { conditionHolds } from '../confirmation-expression.js';
import { CONTINUE, type Stage, type StageContext } from './stage.js';

/**
 * A person has approved what the tool, or a permission rule, wants approved: these very arguments, or the tool for the
 * rest of the run or thread.
 */
export const confirmation: Stage = (call, context) => {
  if (!isAsked(effectiveArguments(call) ?? {}, context)) return CONTINUE;
  const argumentsDigest = callDigestOf(call);
  if (call.approval?.argumentsDigest === argumentsDigest) return CONTINUE;
  const { rememberedAt: interruptId } = context;
  if (interruptId === null) return { do: 'wait', for: 'confirmation' };
  return { do: 'continue', note: { approval: { by: 'remembered', interruptId, argumentsDigest } } };
};

function isAsked(
  values: Parameters<typeof conditionHolds>[1],
  { tool: { requireConfirmation }, permission }: StageContext,
): boolean {
  if (permission.effect === 'ask') return true;
  if (typeof requireConfirmation === 'string') return requireConfirmation === 'always';
  return conditionHolds(requireConfirmation.when, values);
}
