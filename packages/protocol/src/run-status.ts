import { z } from 'zod';

export const runStatus = z.enum(['queued', 'running', 'interrupted', 'completed', 'failed', 'cancelled']);
export type RunStatus = z.infer<typeof runStatus>;

/** Why a run ended. A declined tool is not an ending: the model hears of it and the run goes on. */
export const endReason = z.enum([
  'final_answer',
  'budget_iterations',
  'budget_time',
  'budget_repetition',
  'budget_tool_calls',
  'budget_cost',
  'cancelled',
  'superseded',
  'model_error',
  'context_unfit',
  'internal_error',
]);
export type EndReason = z.infer<typeof endReason>;

/** The receipt of one tool call. `pending` and `started` are open; every other status is final. */
export const toolCallStatus = z.enum([
  'pending',
  'started',
  'succeeded',
  'failed',
  'declined',
  'expired',
  'cancelled',
  'superseded',
  'unknown',
]);
export type ToolCallStatus = z.infer<typeof toolCallStatus>;

export const executionLocation = z.enum(['server', 'client', 'remote']);
export type ExecutionLocation = z.infer<typeof executionLocation>;

/** `chat`: shown. `shadow`: the model reads it, the chat does not show it. `internal`: bookkeeping. */
export const visibility = z.enum(['chat', 'shadow', 'internal']);
export type Visibility = z.infer<typeof visibility>;

/** Tokens as the model's provider counted them, those of failed and cancelled tries included where it told them. */
export const usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  cachedInputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cost: z
    .number()
    .nonnegative()
    .optional()
    .describe('In the currency of `model.price`, by the prices at the time. Left out: there was no price.'),
});
export type Usage = z.infer<typeof usage>;

export const NO_USAGE: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** Digits behind the point that a cost keeps: sums of fractions would grow a tail of noise. */
const COST_DIGITS = 9;

/** Adds the tokens, and what they cost where that is known, of two parts of a run. */
export function addUsage(a: Usage, b: Usage): Usage {
  const isPriced = a.cost !== undefined || b.cost !== undefined;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(isPriced && { cost: Number(((a.cost ?? 0) + (b.cost ?? 0)).toFixed(COST_DIGITS)) }),
  };
}
