import { z } from 'zod';

const environment = z.object({
  PORT: z.coerce
    .number('must be a port: a whole number from 0 to 65535')
    .int()
    .min(0)
    .max(65_535)
    .default(3001)
    .describe('Port on 127.0.0.1; the Plinth server in front of it proxies /playground/ here.'),
  PLINTH_URL: z
    .url({ protocol: /^https?$/, error: 'must be the http(s) address of the Plinth server' })
    .transform((url) => url.replace(/\/+$/, '')),
  PLINTH_API_KEY: z
    .string('is missing: the API key of the poster-studio tenant')
    .min(1, 'is empty: the API key of the poster-studio tenant'),
  PLAYGROUND_INSPECTOR: z
    .enum(['on', 'off'], 'must be on or off')
    .default('off')
    .describe(
      'Whether the tokens of all visitors have the scope `debug`, which the inspector needs: on where nobody but developers is served. Default off.',
    ),
  PLAYGROUND_JOB_DELAY_MS: z.coerce
    .number('must be milliseconds: a whole number from 0 to 600000')
    .int()
    .min(0)
    .max(600_000)
    .default(6_000)
    .describe('Milliseconds that a drawing takes; longer makes the progress easier to watch. Default 6000.'),
});

/** What the backend is told from outside. */
export type Environment = z.infer<typeof environment>;

/** Reads the settings, or lists every problem at once. Empty strings count as not set. */
export function parseEnvironment(
  source: Record<string, string | undefined>,
): { ok: true; environment: Environment } | { ok: false; problems: string[] } {
  const set = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(set);
  if (parsed.success) return { ok: true, environment: parsed.data };
  return {
    ok: false,
    problems: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`),
  };
}
