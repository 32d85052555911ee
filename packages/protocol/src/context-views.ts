import { z } from 'zod';

/** What the two budgets of a request are spent on. `memory` is what is remembered across threads. */
export const contextAccount = z.enum([
  'instructions',
  'tools',
  'memory',
  'history',
  'results',
  'images',
  'other',
]);
export type ContextAccount = z.infer<typeof contextAccount>;

const amount = z.object({ tokens: z.number().int().nonnegative(), bytes: z.number().int().nonnegative() });
export const contextAccounts = z.partialRecord(contextAccount, amount);
export type ContextAccounts = z.infer<typeof contextAccounts>;

/** Why something is not in a request, or smaller than it was. */
export const contextReason = z.object({
  code: z.enum([
    'result_cleared',
    'history_summarised',
    'history_dropped',
    'text_shortened',
    'image_reduced',
    'image_repeated',
    'image_removed',
    'image_rejected',
    'image_unreadable',
    'summary_failed',
  ]),
  wall: z
    .enum([
      'tokens',
      'bytes',
      'image_count',
      'image_bytes',
      'images_total_bytes',
      'image_side',
      'format',
      'endpoint',
    ])
    .describe('Which limit asked for it. `endpoint`: it refused the request.'),
  count: z.number().int().positive().describe('How many things of this kind it befell.'),
  tokens: z.number().int().nonnegative().describe('Tokens that it saved, about.'),
  bytes: z.number().int().nonnegative().describe('Bytes that it saved.'),
  detail: z.string().nullable().describe('For people.'),
});
export type ContextReason = z.infer<typeof contextReason>;

/** What one request to the model held. */
export const turnContext = z.object({
  turn: z.number().int().nonnegative(),
  tokens: z
    .number()
    .int()
    .nonnegative()
    .describe('Before it was sent: an upper bound when `tokensExact`, else an estimate.'),
  tokensExact: z.boolean().describe('False: it was far from every wall, and was not counted in full.'),
  bytes: z.number().int().nonnegative().describe('Of the body that was sent.'),
  budgetTokens: z.number().int().positive().describe('What the window leaves for input.'),
  budgetBytes: z.number().int().positive().describe('From which on a body is made smaller.'),
  wallBytes: z.number().int().positive().describe('What the endpoint takes.'),
  accounts: contextAccounts,
  reasons: z.array(contextReason),
  inputTokens: z.number().int().nonnegative().describe('As the provider counted them.'),
  cachedInputTokens: z.number().int().nonnegative(),
  prefixBytes: z
    .number()
    .int()
    .nonnegative()
    .nullable()
    .describe(
      'How many bytes of it are a prefix of the request before it as well. Null: there was none in this run.',
    ),
});
export type TurnContext = z.infer<typeof turnContext>;

/** What the requests of one run held, turn by turn. */
export const runContextView = z.object({
  runId: z.string(),
  model: z.string().nullable().describe('That of the last turn. Null: nothing was noted of any turn.'),
  turns: z.array(turnContext).describe('Oldest first. A turn of which nothing was noted is left out.'),
});
export type RunContextView = z.infer<typeof runContextView>;
