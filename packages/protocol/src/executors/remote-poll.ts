import { z } from 'zod';

const pointer = (fallback: string, text: string) =>
  z
    .string()
    .regex(/^(\/[^/]*){0,20}$/, 'must be a JSON pointer such as /data/status')
    .max(500)
    .default(fallback)
    .describe(`${text} JSON pointer (RFC 6901). Default ${fallback}.`);

const seconds = (min: number, max: number, value: number, text: string) =>
  z.number().int().min(min).max(max).default(value).describe(`${text} Default ${value}, ${min} to ${max}.`);

const words = (fallback: string[]) => z.array(z.string().min(1).max(100)).min(1).max(20).default(fallback);

/** How to learn of the end of a job whose service cannot, or may fail to, call back. */
export const remotePoll = z
  .object({
    url: z
      .string()
      .max(2000)
      .regex(/^https?:\/\//i, 'must be an http or https URL')
      .refine((url) => url.includes('{jobId}'), 'must hold {jobId}')
      .describe('Asked with GET; `{jobId}` stands for the id in the answer to the dispatch.'),
    jobIdPointer: pointer('/jobId', 'Where the answer to the dispatch has the id: text or a number.'),
    intervalSeconds: seconds(
      1,
      3600,
      5,
      'Seconds to the first look; the time between two looks grows by half.',
    ),
    maxIntervalSeconds: seconds(1, 3600, 60, 'Seconds between two looks at most.'),
    statusPointer: pointer('/status', 'Where the answer says how far the job is.'),
    done: words(['succeeded']).describe('Statuses of a job that has succeeded. Default `succeeded`.'),
    failed: words(['failed']).describe('Statuses of a job that has failed. Default `failed`.'),
    resultPointer: pointer('/result', 'Where the result is when it has succeeded.'),
    filesPointer: pointer('/files', 'Where files are, in the form of a callback; may be absent.'),
    errorPointer: pointer('/error', 'Where the reason is when it has failed: text, or `{ code, message }`.'),
    progressPointer: pointer('/progress', 'Where a number from 0 to 1 is meanwhile; may be absent.'),
    silenceSeconds: seconds(
      5,
      86_400,
      600,
      'Seconds without a usable answer after which the job is given up.',
    ),
  })
  .refine(({ intervalSeconds, maxIntervalSeconds }) => intervalSeconds <= maxIntervalSeconds, {
    path: ['maxIntervalSeconds'],
    message: 'must not be less than intervalSeconds',
  });
export type RemotePoll = z.infer<typeof remotePoll>;
