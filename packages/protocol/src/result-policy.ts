import { z } from 'zod';
import { openPolicy } from './artifacts.js';

/** What becomes of what a tool returns, before the model reads it. */
export const resultPolicy = z.object({
  maxTokens: z
    .number()
    .int()
    .min(100)
    .max(100_000)
    .default(2000)
    .describe('Tokens of a result that the model reads at most. Default 2000, 100 to 100000.'),
  artifact: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      'Whether the full result is kept as an artifact: `auto` when something of it was cut, `always`, or `never`.',
    ),
  open: openPolicy
    .default('auto')
    .describe('How artifacts of this tool open. A full result that was kept because of a cut is `silent`.'),
  images: z
    .enum(['reference', 'show'])
    .optional()
    .describe(
      'Pictures that it produces: `reference`, the model is told of them, or `show`, it sees them as well. Default `reference`.',
    ),
  sampleArraysOver: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(20)
    .describe('Of a longer list the first that many items are shown, and how many there are. Default 20.'),
  summary: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'A line about a structured result, for the chat and the model: `{{total}} orders, the first is {{orders.0.id}}`. `{{orders.length}}` counts.',
    ),
});
export type ResultPolicy = z.infer<typeof resultPolicy>;

export const DEFAULT_RESULT_POLICY: ResultPolicy = resultPolicy.parse({});
