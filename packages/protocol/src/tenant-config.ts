import { z } from 'zod';

const count = (min: number, max: number, value: number, text: string) =>
  z.number().int().min(min).max(max).default(value).describe(`${text} Default ${value}, ${min} to ${max}.`);

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
});

const budgetConfig = z.strictObject({
  maxTurns: count(1, 200, 24, 'Requests to the model in one run. The last one offers no tools.'),
  maxRunSeconds: count(
    10,
    2_592_000,
    2_592_000,
    'Seconds from the start of a run to its end, waits included. A run keeps what held when it started.',
  ),
  maxRepeatedCalls: count(1, 50, 3, 'Times that one tool may be called with the same arguments in one run.'),
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

const toolConfig = z.strictObject({
  maxParallel: count(1, 50, 5, 'Tool calls of one run that may execute at once.'),
});

/**
 * The configuration of a tenant. A change is a new immutable revision, and is applied at the next turn
 * of running runs; TTLs at the next write.
 */
export const tenantConfig = z.strictObject({
  model: modelConfig.prefault({}),
  budgets: budgetConfig.prefault({}),
  ttl: ttlConfig.prefault({}),
  snapshots: snapshotConfig.prefault({}),
  tools: toolConfig.prefault({}),
});
export type TenantConfig = z.infer<typeof tenantConfig>;

export const DEFAULT_TENANT_CONFIG: TenantConfig = tenantConfig.parse({});
