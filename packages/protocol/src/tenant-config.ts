import { z } from 'zod';
import { contextConfig } from './context-config.js';
import { outboundConfig } from './outbound.js';
import { permissionRule } from './permissions.js';

const count = (min: number, max: number, value: number, text: string) =>
  z.number().int().min(min).max(max).default(value).describe(`${text} Default ${value}, ${min} to ${max}.`);

const amount = z.number().min(0).max(1_000_000);

const modelPrice = z
  .strictObject({
    inputPerMillion: amount.describe('For a million input tokens that were not cached.'),
    cachedInputPerMillion: amount.describe("For a million input tokens out of the provider's cache."),
    outputPerMillion: amount.describe('For a million output tokens, reasoning included.'),
  })
  .nullable()
  .default(null)
  .describe(
    'What the model costs, in a currency of your choice, the same for all that is said of cost. 0 to 1,000,000 each. Default null: nothing is reckoned.',
  );

const modelConfig = z.strictObject({
  name: z.string().min(1).max(200).default('gpt-4.1-mini').describe('Model id, as the endpoint names it.'),
  temperature: z.number().min(0).max(2).default(0.7).describe('0 to 2; lower is steadier. Default 0.7.'),
  maxOutputTokens: count(16, 200_000, 4096, 'Tokens of one answer of the model.'),
  timeoutMs: count(
    1000,
    900_000,
    120_000,
    'Milliseconds for one request to the model, from start to last byte.',
  ),
  price: modelPrice,
  allowedTools: z
    .boolean()
    .default(true)
    .describe(
      'Whether the endpoint knows `tool_choice` of type `allowed_tools`. Without it closing tools are offered with all others, and calls of the others are refused. Default true.',
    ),
});

const budgetConfig = z.strictObject({
  maxTurns: count(1, 200, 24, 'Requests to the model in one run. The last one offers closing tools only.'),
  announceTurns: count(
    0,
    200,
    3,
    'In how many of the last turns the model is told "turn i of n", as the last message. 0: never, for endpoints that take a system message at the beginning only.',
  ),
  maxToolCalls: count(
    1,
    10_000,
    200,
    'Tool calls of one run. What is beyond is refused; the turn after it offers closing tools only, and is the last.',
  ),
  maxRunSeconds: count(
    10,
    2_592_000,
    2_592_000,
    'Seconds from the start of a run to its end, waits included. A run keeps what held when it started.',
  ),
  maxRepeatedCalls: count(
    1,
    50,
    3,
    'Times that one tool is carried out with the same arguments in one run. The last time the result says so, the next call is refused, and the one after it ends the run.',
  ),
  maxCost: z
    .number()
    .positive()
    .max(1_000_000_000)
    .nullable()
    .default(null)
    .describe(
      'What the model may cost in one run, in the currency of `model.price`, without which it has no effect. Looked at before each turn, so the last one may go beyond. Above 0. Default null: no limit.',
    ),
});

const ttlConfig = z.strictObject({
  activeSnapshotSeconds: count(
    60,
    2_592_000,
    86_400,
    'Seconds that the snapshot of a waiting run stays in Redis.',
  ),
  endedSnapshotSeconds: count(60, 2_592_000, 7_200, 'Seconds that it stays after the end of the run.'),
  activeEventsSeconds: count(
    60,
    2_592_000,
    604_800,
    'Seconds that an event log stays in Redis while the run is not ended.',
  ),
  endedEventsSeconds: count(60, 2_592_000, 86_400, 'Seconds that it stays after the end of the run.'),
});

const snapshotConfig = z.strictObject({
  alarmBytes: count(
    1024,
    1_073_741_824,
    1_048_576,
    'Bytes of one snapshot in Redis, compressed, from which on it is logged and counted. Nothing is refused.',
  ),
});

const breakerConfig = z.strictObject({
  failures: count(1, 1000, 5, 'Failures of one host within the window after which it is left alone.'),
  windowSeconds: count(1, 3600, 30, 'Seconds within which failures count together.'),
  halfOpenAfterSeconds: count(
    1,
    3600,
    15,
    'Seconds that a host is left alone before one call tries it again.',
  ),
});

const toolConfig = z.strictObject({
  maxParallel: count(1, 50, 5, 'Tool calls of one run that may execute at once.'),
  breaker: breakerConfig.prefault({}),
  permissions: z
    .array(permissionRule)
    .max(500)
    .default([])
    .describe('Who may call what. The most specific rule wins; without one, everything is allowed.'),
});

const comfyuiConfig = z.strictObject({
  hosts: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/), z.url({ protocol: /^https?$/ }))
    .default({})
    .describe(
      'ComfyUI hosts by name; tools name them. A tool follows when the address changes. Default none.',
    ),
});

const MIB = 1024 * 1024;

const artifactConfig = z.strictObject({
  maxUploadBytes: count(1024, 256 * MIB, 32 * MIB, 'Bytes of one file that a person or a back end uploads.'),
});

/**
 * The configuration of a tenant. A change is a new immutable revision, and is applied at the next turn
 * of running runs; TTLs at the next write.
 */
export const tenantConfig = z.strictObject({
  model: modelConfig.prefault({}),
  context: contextConfig.prefault({}),
  budgets: budgetConfig.prefault({}),
  ttl: ttlConfig.prefault({}),
  snapshots: snapshotConfig.prefault({}),
  tools: toolConfig.prefault({}),
  outbound: outboundConfig.prefault({}),
  comfyui: comfyuiConfig.prefault({}),
  artifacts: artifactConfig.prefault({}),
});
export type TenantConfig = z.infer<typeof tenantConfig>;

export const DEFAULT_TENANT_CONFIG: TenantConfig = tenantConfig.parse({});
