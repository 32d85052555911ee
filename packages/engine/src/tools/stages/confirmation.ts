import { CONTINUE, type Stage } from './stage.js';

/** A person has approved what the tool, or a permission rule, wants approved. */
export const confirmation: Stage = (call, { tool, permission }) => {
  const isAsked = tool.requireConfirmation === 'always' || permission.effect === 'ask';
  return isAsked && call.approvedAt === null ? { do: 'wait', for: 'confirmation' } : CONTINUE;
};
