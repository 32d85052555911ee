/** The tools of the business under test. Their side effects are recorded by the job service. */

const objectSchema = (properties, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const subject = { subject: { type: 'string' } };

/** Tools that may run again with the same idempotency key, and those whose effect must never come twice. */
export const IDEMPOTENT = new Set(['lookup']);
/** Tools that wait for an approval before they run. */
export const GATED = new Set(['charge']);

const job = (key, jobs, more = {}) => ({
  key,
  title: `Job ${key}`,
  description: 'Starts a job.',
  parameters: objectSchema({ ...subject, amount: { type: 'integer' } }, ['subject']),
  executor: { kind: 'remote', url: `${jobs}/${key}` },
  idempotent: IDEMPOTENT.has(key),
  requireConfirmation: GATED.has(key) ? 'always' : 'never',
  // Longer than any fault: an outcome must come from the service or from a death, not from a slow machine.
  timeoutMs: 60_000,
  ...more,
});

export const toolsOf = (jobs) => [
  {
    key: 'form',
    title: 'Form',
    description: 'Asks the person for a value.',
    parameters: objectSchema(subject),
    executor: {
      kind: 'component',
      component: 'ValueForm',
      submit: objectSchema({ value: { type: 'string' } }),
    },
  },
  job('book', jobs),
  job('lookup', jobs),
  job('charge', jobs),
  {
    key: 'current_time',
    title: 'Clock',
    description: 'Tells the time.',
    parameters: objectSchema({ timeZone: { type: 'string' } }, []),
    executor: { kind: 'builtin', name: 'current_time' },
  },
];
