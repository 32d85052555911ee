import { allowEntry } from '@plinth/protocol';
import { z } from 'zod';
import { secretProblem } from '../../auth/derived-keys.js';

const integer = (min: number, max: number, fallback: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const optionalUrl = z.preprocess((value) => (value === '' ? undefined : value), z.url().optional());

const masterSecret = z.string().superRefine((secret, context) => {
  const problem = secretProblem(secret);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
const allowList = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  .pipe(z.array(allowEntry));

const optionalText = z.string().default('');

/** Where the bytes of artifacts and pictures are kept. */
const storageSettings = {
  PLINTH_STORAGE: z
    .enum(['local', 's3'])
    .default('local')
    .describe('`local`: in PLINTH_DATA_DIR. `s3`: in a bucket of S3 or of what speaks like it.'),
  PLINTH_S3_BUCKET: optionalText.describe('The bucket; it must be there. Required with `s3`.'),
  PLINTH_S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  PLINTH_S3_ENDPOINT: optionalUrl.describe("URL of another service than AWS. Default: the region's at AWS."),
  PLINTH_S3_PATH_STYLE: z
    .preprocess((value) => (value === '' ? undefined : value), z.stringbool().optional())
    .describe('Whether the bucket stands in the path. Default: true with PLINTH_S3_ENDPOINT, else false.'),
  PLINTH_S3_PREFIX: z
    .string()
    .regex(/^(?!\/)[\w./-]{0,200}$/, 'must be letters, digits and . _ - / without a slash at the start')
    .default('')
    .describe('In front of every key, to share a bucket. Default: none.'),
  PLINTH_S3_ACCESS_KEY_ID: optionalText.describe(
    'Default: what the machine offers (AWS_* variables, a role).',
  ),
  PLINTH_S3_SECRET_ACCESS_KEY: optionalText.describe('Secret of that key.'),
  PLINTH_S3_TIMEOUT_MS: integer(500, 300_000, 30_000).describe(
    'Milliseconds for reading or writing one object, further tries included.',
  ),
};

/** The environment of one server process: each variable with its unit, default and bounds. Nothing else reads `process.env`. */
export const environmentSchema = z
  .object({
    DATABASE_APP_URL: z
      .url()
      .describe('Postgres URL of the app role (no superuser, no BYPASSRLS; checked at start).'),
    DATABASE_POOL_SIZE: integer(2, 200, 10).describe('Connections to Postgres of this process.'),
    REDIS_URL: z.url().describe('Redis for snapshots and event logs.'),
    REDIS_QUEUE_URL: optionalUrl.describe('Redis of the job queue; it must not evict. Default: REDIS_URL.'),
    PLINTH_SECRET: masterSecret.describe(
      'Master secret; keys for tokens, signed URLs and the secrets of tenants are derived from it.',
    ),
    PLINTH_PREVIOUS_SECRET: z
      .preprocess((value) => (value === '' ? undefined : value), masterSecret.optional())
      .describe('The master secret before this one, while secrets of tenants are still encrypted under it.'),
    PLINTH_ROLE: z.enum(['api', 'worker', 'all']).default('all').describe('What this process does.'),
    PLINTH_HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
    PORT: integer(0, 65_535, 3000).describe('Port to listen on; 0 takes a free one.'),
    PLINTH_PUBLIC_URL: optionalUrl.describe(
      'Where remote jobs, and model endpoints that fetch pictures, reach this server. Default: http://localhost:PORT.',
    ),
    PLINTH_DATA_DIR: z
      .string()
      .default('.plinth')
      .describe('Directory of artifacts, where they are kept on disk.'),
    ...storageSettings,
    PLINTH_BUSINESS_DIR: z
      .string()
      .default('')
      .describe(
        'Directory with a tenant, its agents and its tools, brought in at every start. Default: none.',
      ),
    PLINTH_MODEL: z
      .string()
      .min(1)
      .default('gpt-4.1-mini')
      .describe("Model where a tenant's configuration names none."),
    OPENAI_BASE_URL: optionalUrl.describe("An OpenAI-compatible endpoint. Default: the provider's own."),
    OPENAI_API_KEY: z.string().default('').describe('Key of that endpoint.'),
    PLAYGROUND_URL: optionalUrl.describe('When set, /playground is passed on to this back end.'),
    PLINTH_CORS_ORIGINS: z
      .string()
      .default('')
      .transform((list) =>
        list
          .split(',')
          .map((origin) => origin.trim())
          .filter(Boolean),
      )
      .describe('Origins of pages that may call the API, separated by commas.'),
    PLINTH_OUTBOUND_ALLOW: allowList.describe(
      'Destinations beyond the public internet that tools of every tenant may reach: hosts, addresses or ranges, separated by commas.',
    ),
    PLINTH_OUTBOUND_TENANT_ALLOW: allowList.describe(
      'Of the same form: the most that a tenant may allow itself by `outbound.allow` in its configuration.',
    ),
    PLINTH_WEB_FETCH_ALLOW: allowList.describe(
      'Of the same form: destinations beyond the public internet that the builtin web_fetch may read, for every tenant.',
    ),
    PLINTH_IMAGE_ALLOW: allowList.describe(
      'Of the same form: destinations beyond the public internet that pictures may be fetched from, for every tenant.',
    ),
    PLINTH_WORKER_CONCURRENCY: integer(1, 500, 20).describe('Runs that this worker advances at once.'),
    PLINTH_LEASE_MS: integer(1000, 120_000, 9000).describe(
      'Milliseconds until the run of a dead worker is free.',
    ),
    PLINTH_SWEEP_MS: integer(100, 60_000, 2000).describe('Milliseconds between two sweeps for lost work.'),
    PLINTH_LOG_LEVEL: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('Lowest level that is logged.'),
  })
  .superRefine((environment, context) => {
    const problem = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (environment.PLINTH_STORAGE === 's3' && environment.PLINTH_S3_BUCKET === '')
      problem('PLINTH_S3_BUCKET', 'must name a bucket when PLINTH_STORAGE is s3');
    if ((environment.PLINTH_S3_ACCESS_KEY_ID === '') !== (environment.PLINTH_S3_SECRET_ACCESS_KEY === ''))
      problem('PLINTH_S3_SECRET_ACCESS_KEY', 'must be set together with PLINTH_S3_ACCESS_KEY_ID');
  });
export type Environment = z.infer<typeof environmentSchema>;

/** The environment is not usable. The message lists every problem and is meant for a person. */
export class EnvironmentError extends Error {
  constructor(problems: string[]) {
    super(`The environment is not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

/** @throws EnvironmentError that names every variable that is missing or wrong, and never its value */
export function readEnvironment(variables: Record<string, string | undefined>): Environment {
  const parsed = environmentSchema.safeParse(variables);
  if (parsed.success) return parsed.data;
  throw new EnvironmentError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}
