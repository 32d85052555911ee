import { z } from 'zod';
import { callbackSignature } from './executors/callback-signature.js';
import { comfyuiExecutor } from './executors/comfyui.js';
import { frontendExecutor } from './executors/frontend.js';
import { httpExecutor } from './executors/http.js';
import { mcpExecutor } from './executors/mcp.js';
import { mcpDirectoryExecutor } from './executors/mcp-directory.js';
import { remotePoll } from './executors/remote-poll.js';
import { jsonObject } from './json.js';
import { resultPolicy } from './result-policy.js';
import type { ExecutionLocation } from './run-status.js';

const executor = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('component'),
    component: z.string().min(1).max(100).describe('The name under which the host registers its component.'),
    props: jsonObject.default({}).describe("Fixed props; the call's arguments are laid over them."),
    submit: jsonObject.describe('JSON Schema that a submission must satisfy.'),
  }),
  z.object({
    kind: z.literal('remote'),
    url: z.url().describe('Receives one POST with the arguments and a one-time callback URL.'),
    cancelUrl: z
      .url()
      .optional()
      .describe('Receives one POST when nobody waits for a job any more. Best effort: it may be missed.'),
    signature: callbackSignature
      .optional()
      .describe('Callbacks and progress must be signed by the service. Left out: their address is enough.'),
    poll: remotePoll
      .optional()
      .describe('Ask for the result, beside the callback: whichever comes first is the answer.'),
  }),
  httpExecutor,
  z.object({
    kind: z.literal('builtin'),
    name: z.enum([
      'current_time',
      'get_artifact',
      'write_document',
      'edit_document',
      'ask_user',
      'load_skill',
      'web_fetch',
    ]),
  }),
  mcpExecutor,
  mcpDirectoryExecutor,
  comfyuiExecutor,
  frontendExecutor,
]);
export type ToolExecutorSpec = z.infer<typeof executor>;
export type ExecutorKind = ToolExecutorSpec['kind'];

/** One definition for every kind of tool. Adding a tool is configuration, never engine code. */
export const toolDefinition = z.object({
  key: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, 'letters, digits, _ and -, at most 64, starting with a letter'),
  title: z.string().min(1).max(100),
  description: z
    .string()
    .min(1)
    .max(4000)
    .describe('For the model: scope, typical use, border to neighbours.'),
  parameters: jsonObject.describe('JSON Schema 2020-12 of the arguments; an object schema.'),
  output: jsonObject
    .optional()
    .describe('JSON Schema 2020-12 of the result. One that does not fit fails the call as `invalid_output`.'),
  executor,
  requireConfirmation: z
    .union([
      z.enum(['never', 'always']),
      z.strictObject({
        when: z
          .string()
          .min(1)
          .max(500)
          .describe('A condition over `arguments` in CEL; one that cannot be decided asks.'),
      }),
    ])
    .default('never')
    .describe('Whether a person approves a call before it is carried out.'),
  remember: z
    .enum(['once', 'thread', 'never'])
    .optional()
    .describe(
      'For how long a person may wish not to be asked again: the run, the thread, not at all. Default: never.',
    ),
  concurrency: z.enum(['parallel', 'exclusive']).default('parallel'),
  idempotent: z
    .boolean()
    .default(false)
    .describe('May run again with the same idempotency key after a crash.'),
  closing: z
    .boolean()
    .default(false)
    .describe(
      'May be called in the last turn that a run has, and ends it: e.g. hand over to a person, save what there is, submit the answer. All other tools are refused there.',
    ),
  onUnknown: z
    .enum(['tell_model', 'ask'])
    .default('tell_model')
    .describe(
      'When a tool that is not idempotent may or may not have taken effect: tell the model, or ask a person first.',
    ),
  timeoutMs: z
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe('Milliseconds for one execution on the server.'),
  waitTimeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(2_592_000)
    .default(604_800)
    .describe('Seconds to wait for a person or a callback; then the call ends as expired. Default 7 days.'),
  rateLimit: z
    .strictObject({
      max: z.number().int().min(1).max(100_000).describe('Calls that may begin in a window; 1 to 100000.'),
      perSeconds: z
        .number()
        .int()
        .min(1)
        .max(86_400)
        .describe('Length of a window in seconds, which begins with its first call; 1 to 86400.'),
      scope: z
        .enum(['tenant', 'endUser'])
        .optional()
        .describe('Whom the count is about: all of the tenant together (the default), or each end user.'),
    })
    .optional()
    .describe('Calls beyond it end as `rate_limited`. Default: no limit.'),
  cache: z
    .union([
      z.literal('none'),
      z.strictObject({
        ttlSeconds: z
          .number()
          .int()
          .min(1)
          .max(86_400)
          .describe('Seconds that a result stands for the next call with the same arguments; 1 to 86400.'),
        shared: z
          .boolean()
          .optional()
          .describe('The result is the same for every end user. Default: false, each has their own.'),
      }),
    ])
    .optional()
    .describe('For idempotent tools that the server carries out. Default: none.'),
  result: resultPolicy.prefault({}),
});
export type ToolDefinition = z.infer<typeof toolDefinition>;
/** A definition as it is written: what is left out has its default. */
export type ToolDefinitionInput = z.input<typeof toolDefinition>;

const LOCATION: Record<ExecutorKind, ExecutionLocation> = {
  component: 'client',
  remote: 'remote',
  http: 'server',
  builtin: 'server',
  mcp: 'server',
  mcp_directory: 'server',
  comfyui: 'remote',
  frontend: 'client',
};

/** Where a tool with this executor runs. */
export function executionLocationOf(executor: ToolExecutorSpec): ExecutionLocation {
  if (executor.kind === 'builtin' && executor.name === 'ask_user') return 'client';
  return LOCATION[executor.kind];
}
