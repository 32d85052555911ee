import { z } from 'zod';
import { jsonObject } from './json.js';

const amount = {
  bytes: z.number().int().nonnegative(),
  tokens: z.number().int().nonnegative(),
};

/** A picture of a request, in place of its bytes. */
export const sentImage = z.object({
  artifactId: z.string(),
  title: z.string(),
  sha256: z.string().describe('Of the original.'),
  step: z
    .number()
    .int()
    .nonnegative()
    .describe('Rung of the ladder; 0 is the largest that the endpoint takes.'),
  mimeType: z
    .string()
    .nullable()
    .describe('As it was sent. Null: nothing is kept of that, and sizes are a guess.'),
  width: z.number().int().nonnegative(),
  height: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative().describe('Of the picture as it was sent, before base64.'),
  delivery: z
    .enum(['inline', 'url'])
    .describe('In the body, or fetched by the endpoint. The address is not shown: it opens without a key.'),
});
export type SentImage = z.infer<typeof sentImage>;

/** One message of a request. */
export const sentMessage = z.object({
  what: z
    .enum(['instructions', 'summary', 'said', 'result', 'images', 'announcement'])
    .describe(
      '`said`: by a person or the model. `images`: pictures of the results above it. `announcement`: how many turns are left.',
    ),
  shadow: z.boolean().describe('The model reads it, and the chat does not show it.'),
  reduced: z
    .enum(['cleared', 'shortened'])
    .nullable()
    .describe('A note in place of a result, or a text with its middle left out.'),
  ...amount,
  message: jsonObject.describe(
    'As it was sent, in the words of the chat completions API. Only a part with a picture is another one: `{"type": "image", "image": …}`.',
  ),
});
export type SentMessage = z.infer<typeof sentMessage>;
export type SentImagePart = { type: 'image'; image: SentImage };

/** The definition of one tool, as the model reads it. */
export const sentTool = z.object({
  name: z.string(),
  description: z.string(),
  parameters: jsonObject,
  ...amount,
});
export type SentTool = z.infer<typeof sentTool>;

/** Why a request that was made again is not, byte for byte, the one that was sent. */
export const requestDoubt = z.object({
  code: z.enum(['nothing_noted', 'model_changed', 'image_unknown', 'image_lost', 'platform_changed']),
  detail: z.string().describe('For people.'),
});
export type RequestDoubt = z.infer<typeof requestDoubt>;

/** The request of one turn. */
export const turnRequestView = z.object({
  runId: z.string(),
  turn: z.number().int().nonnegative(),
  digest: z.string().describe('SHA-256 of the body that the model has answered.'),
  verified: z
    .boolean()
    .describe('The body was made again from what is stored, and has this digest. False: see `doubts`.'),
  doubts: z.array(requestDoubt).describe('Empty when it is verified.'),
  bytes: z.number().int().nonnegative().describe('Of the whole body, pictures in base64 with it.'),
  tokens: z.number().int().nonnegative(),
  tokensExact: z
    .boolean()
    .describe('False: it was too long to be counted here, and tokens are a third of the bytes.'),
  settings: jsonObject.describe('Everything else that stood in the body: model, temperature, tool choice.'),
  tools: z.array(sentTool),
  messages: z.array(sentMessage).describe('In the order in which they were sent.'),
});
export type TurnRequestView = z.infer<typeof turnRequestView>;
