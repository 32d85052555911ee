import type { Stage } from './stage.js';

/** No rule forbids the call. What was decided, and by which revision, stays on the receipt. */
export const permission: Stage = (_call, { tool, permission: decided }) => {
  const note = { permission: decided };
  if (decided.effect !== 'deny') return { do: 'continue', note };
  return {
    do: 'answer',
    code: 'not_permitted',
    message: `The tool "${tool.key}" is not permitted for this user and agent.`,
    note,
  };
};
