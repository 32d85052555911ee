import { z } from 'zod';
import { page } from './requests.js';

/** Short: it stands in front of the names of tools, which models take up to 64 characters long. */
export const mcpServerKey = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'lower-case letters, digits and -, at most 32, starting with a letter');

const SECRET = /\{\{secrets\.[A-Za-z][A-Za-z0-9_]{0,63}\}\}/;
const secretOnly = z
  .string()
  .regex(new RegExp(`^${SECRET.source}$`), 'must be a reference to a secret of the tenant: {{secrets.NAME}}');
const mayHoldSecrets = z.string().max(4000).describe('`{{secrets.NAME}}` in it stands for that secret.');

const auth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('bearer'), token: secretOnly }),
  z.strictObject({
    kind: z.literal('oauth_client_credentials'),
    clientId: z.string().min(1).max(500),
    clientSecret: secretOnly,
    issuer: z
      .url({ protocol: /^https?$/ })
      .describe(
        'Of the authorization server. The secret is sent to no other one, whatever the MCP server says.',
      ),
    scope: z.string().max(1000).optional().describe('Scopes, separated by blanks.'),
  }),
]);

export const streamableHttpTransport = z.strictObject({
  kind: z.literal('streamable_http'),
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header'), mayHoldSecrets)
    .default({})
    .describe('Sent with every request.'),
  auth: auth.default({ kind: 'none' }),
});

export const stdioTransport = z
  .strictObject({
    kind: z.literal('stdio'),
    command: z.string().min(1).max(1000),
    args: z.array(z.string().max(4000)).max(100).default([]),
    env: z
      .record(z.string().min(1).max(200), mayHoldSecrets)
      .default({})
      .describe('Beside PATH, HOME, USER, SHELL and TERM; nothing else of the server is passed on.'),
  })
  .describe('A process on the machine of the worker. From files of the operator only.');

const transport = z.discriminatedUnion('kind', [streamableHttpTransport, stdioTransport]);
export type McpTransport = z.infer<typeof transport>;

const globs = z.array(z.string().min(1).max(200)).max(200);

/** An MCP server whose tools a tenant uses: where it is, how it is reached, which tools are taken. */
export const mcpServerDefinition = z.strictObject({
  description: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\r\n]*$/, 'must be one line')
    .describe('One line for the model: what the tools of this server are for.'),
  transport,
  toolPrefix: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/, 'letters, digits, _ and -, at most 32, starting with a letter')
    .optional()
    .describe('Stands before the names of its tools.'),
  include: globs.default(['*']).describe('Names of the tools that are taken; * stands for any text.'),
  exclude: globs.default([]).describe('Names that are left out again.'),
  timeoutMs: z
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe('Milliseconds for one call, and at most for opening a connection.'),
  minConnections: z
    .number()
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe('Connections of one process that stay open for ten idle minutes; others close after one.'),
  maxConnections: z
    .number()
    .int()
    .min(1)
    .max(50)
    .default(10)
    .describe('Most connections of one process. Calls beyond them share one.'),
});
export type McpServerDefinition = z.infer<typeof mcpServerDefinition>;

export const putMcpServerRequest = mcpServerDefinition.extend({
  expectedRevision: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The revision that the change was made on, 0 for none. Another one by now: 409.'),
});

/** A server as the API shows it. Of a stdio server it does not tell what is started. */
export const mcpServerView = mcpServerDefinition.extend({
  key: z.string(),
  revision: z.number().int().describe('Grows with every change.'),
  origin: z.enum(['tenant', 'operator']).describe('Who set it up.'),
  transport: z.union([streamableHttpTransport, z.object({ kind: z.literal('stdio') })]),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type McpServerView = z.infer<typeof mcpServerView>;

export const mcpServerPage = page(mcpServerView);
