import { z } from 'zod';

const MIB = 1024 * 1024;

const whole = (min: number, max: number, text: string) =>
  z.number().int().min(min).max(max).describe(`${text} ${min} to ${max}.`);

/** The walls of a model's endpoint that a tenant knows better than the built-in profile. */
export const endpointOverrides = z
  .strictObject({
    windowTokens: whole(1_000, 10_000_000, 'Tokens of input and output together.'),
    inputTokens: whole(1_000, 10_000_000, 'Tokens of input alone, where the endpoint has a wall of its own.'),
    bodyBytes: whole(64 * 1024, 1024 * MIB, 'Bytes of one request body.'),
    maxImages: whole(0, 5_000, 'Images in one request.'),
    imageBytes: whole(1024, 1024 * MIB, 'Bytes of one image, as it is stored.'),
    imagesTotalBytes: whole(1024, 1024 * MIB, 'Bytes of all images together.'),
    imageSide: whole(16, 20_000, 'Pixels of the longer side of one image.'),
    imageDelivery: z.enum(['inline', 'url']).describe('Images inside the body, or by signed URL.'),
  })
  .partial();
export type EndpointOverrides = z.infer<typeof endpointOverrides>;

const share = (min: number, max: number, value: number, text: string) =>
  z.number().min(min).max(max).default(value).describe(`${text} Default ${value}, ${min} to ${max}.`);

const thresholds = {
  compactAt: share(0.3, 0.95, 0.85, 'Share of the token budget from which on a request is made smaller.'),
  compactTo: share(0.1, 0.9, 0.6, 'Share that it is made smaller to, so that the next turns need not be.'),
  bodyBytes: whole(64 * 1024, 1024 * MIB, 'Bytes of a body from which on it is made smaller.')
    .nullable()
    .default(null)
    .describe('Default null: the smaller of 20 MB and 0.8 of what the endpoint takes.'),
};

const summaryConfig = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether what leaves the conversation is summarised by the model. Default true.'),
  model: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('Model id of the summariser. Default null: that of the agent.'),
  maxTokens: z
    .number()
    .int()
    .min(100)
    .max(8_000)
    .default(1_000)
    .describe('Tokens of a summary. Default 1000.'),
  maxInputTokens: z
    .number()
    .int()
    .min(1_000)
    .max(200_000)
    .default(24_000)
    .describe('Tokens that the summariser reads at most. Default 24000.'),
  timeoutMs: z
    .number()
    .int()
    .min(1_000)
    .max(300_000)
    .default(45_000)
    .describe('Milliseconds for one summary. Default 45000.'),
});

/** How much of a conversation a request holds. Tenant < agent < model. */
export const contextConfig = z.strictObject({
  ...thresholds,
  endpoint: endpointOverrides.default({}),
  models: z
    .record(
      z.string().min(1).max(200),
      z
        .strictObject({
          compactAt: z.number().min(0.3).max(0.95),
          compactTo: z.number().min(0.1).max(0.9),
          bodyBytes: z
            .number()
            .int()
            .min(64 * 1024)
            .max(1024 * MIB),
          endpoint: endpointOverrides,
        })
        .partial(),
    )
    .default({})
    .describe('The same settings by model id; they win over the others.'),
  summary: summaryConfig.prefault({}),
});
export type ContextConfig = z.infer<typeof contextConfig>;
