import { z } from 'zod';
import { jsonObject } from './json.js';
import { secretName } from './secrets.js';

export const openApiImportRequest = z.strictObject({
  document: z
    .union([z.string().min(1), jsonObject])
    .describe('OpenAPI 3.0 or 3.1: as JSON, as text (JSON or YAML), or its http or https URL.'),
  operations: z
    .union([z.literal('all'), z.array(z.string().min(1).max(300)).min(1).max(100)])
    .default('all')
    .describe('Which: operationIds, or "GET /path" where there is none. At most 100 are imported at once.'),
  prefix: z
    .string()
    .regex(/^([a-zA-Z][a-zA-Z0-9_-]{0,19})?$/, 'letters, digits, _ and -, at most 20, starting with a letter')
    .default('')
    .describe('Before the key of every tool, with a _ between.'),
  auth: z
    .record(z.string().max(200), z.strictObject({ secret: secretName }).nullable())
    .default({})
    .describe("The secret for each security scheme, by the scheme's name. null: it is sent nothing."),
  baseUrl: z
    .url()
    .optional()
    .describe(
      'Where the service is, in place of what the document says. Needed when that is not a whole URL.',
    ),
  requireConfirmation: z
    .enum(['never', 'always', 'writes'])
    .default('writes')
    .describe('writes: everything but GET is confirmed by a person first.'),
  dryRun: z.boolean().default(false).describe('Says what would be done, and does nothing.'),
});
export type OpenApiImportRequest = z.output<typeof openApiImportRequest>;

const operationRef = {
  operationId: z.string().describe('As the document names it, else "GET /path".'),
  method: z.string(),
  path: z.string(),
};

export const importedTool = z.object({
  ...operationRef,
  key: z.string(),
  action: z.enum(['create', 'update', 'unchanged']),
  version: z.number().int().describe('Of the tool, when it is done.'),
  warnings: z.array(z.string()),
  definition: jsonObject,
});

export const openApiImportResponse = z.object({
  dryRun: z.boolean(),
  tools: z.array(importedTool),
  skipped: z
    .array(z.object({ ...operationRef, reasons: z.array(z.string()) }))
    .describe('Operations that were wanted and are no tools, and why.'),
});
export type OpenApiImportResponse = z.infer<typeof openApiImportResponse>;
