import { z } from 'zod';

/** A tool that only the person's browser can do: one page of theirs runs it, and posts the result. */
export const frontendExecutor = z.object({
  kind: z.literal('frontend'),
  handler: z.string().min(1).max(100).describe('The name under which the host page registers its handler.'),
  recovery: z
    .enum(['rerun', 'ask', 'fail'])
    .default('ask')
    .describe(
      'When the page that runs it goes away: let another page run it again, ask the person whether it took effect, or end it as unknown. Default `ask`.',
    ),
  claimTimeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(60)
    .describe('Seconds to wait for a page that can run it. Default 60, 1 to 86400.'),
  leaseSeconds: z
    .number()
    .int()
    .min(2)
    .max(300)
    .default(20)
    .describe('Seconds after which a page that is not heard of counts as gone. Default 20, 2 to 300.'),
});
export type FrontendExecutorSpec = z.infer<typeof frontendExecutor>;
