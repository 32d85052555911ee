import { z } from 'zod';
import { jsonValue } from '../json.js';

const template = z.string().max(8192);

/**
 * One request to a service. Texts may hold `{{args.NAME}}` (with further steps: `{{args.customer.id}}`,
 * `{{args["any name"]}}`) and `{{secrets.NAME}}`.
 */
export const httpExecutor = z.strictObject({
  kind: z.literal('http'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  url: template
    .min(1)
    .describe('http or https. Placeholders may stand after the host only; values are percent-encoded.'),
  headers: z.record(z.string().max(100), template).default({}),
  query: z
    .record(z.string().max(200), jsonValue)
    .default({})
    .describe('Added to the URL. A list is repeated, an argument that is not given is left out.'),
  body: jsonValue
    .optional()
    .describe(
      'A text that is one placeholder keeps the type of its value, and is left out when the argument is not given.',
    ),
  bodyAs: z.enum(['json', 'form', 'text']).default('json').describe('How the body is sent.'),
  response: z
    .strictObject({
      as: z
        .enum(['auto', 'json', 'text', 'file'])
        .default('auto')
        .describe(
          'What a good answer is. auto: by its content type; what is neither JSON nor text is a file.',
        ),
      select: z
        .string()
        .max(500)
        .regex(/^(\/([^~]|~[01])*)?$/, 'must be a JSON pointer such as /data/items')
        .optional()
        .describe('JSON pointer (RFC 6901): the part of a JSON answer that is the result.'),
      maxBytes: z
        .number()
        .int()
        .min(1)
        .max(26_214_400)
        .optional()
        .describe('Bytes of an answer. Default 262144 for JSON and text, 26214400 for a file.'),
    })
    .prefault({}),
});
export type HttpExecutorSpec = z.infer<typeof httpExecutor>;
