import type { JsonObject } from '@plinth/protocol';

/** The JSON Schema of an object with these members and no others; all are required unless said otherwise. */
export const objectSchema = (
  properties: JsonObject,
  required: string[] = Object.keys(properties),
): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** A form of the host page. Its submission is `{ value: string }`. */
export const formTool = (key: string, more: JsonObject = {}): JsonObject => ({
  key,
  title: `Form ${key}`,
  description: 'Asks the person for a value.',
  parameters: objectSchema({ question: { type: 'string' } }),
  executor: {
    kind: 'component',
    component: 'ValueForm',
    submit: objectSchema({ value: { type: 'string' } }),
  },
  ...more,
});

/** A remote job at `<jobs>/<key>`: a side effect that is recorded there. */
export const jobTool = (key: string, jobs: string, more: JsonObject = {}): JsonObject => ({
  key,
  title: `Job ${key}`,
  description: 'Starts a job.',
  parameters: objectSchema({ subject: { type: 'string' } }),
  executor: { kind: 'remote', url: `${jobs}/${key}` },
  ...more,
});

export const clockTool: JsonObject = {
  key: 'current_time',
  title: 'Clock',
  description: 'Tells the time.',
  parameters: objectSchema({ timeZone: { type: 'string' } }, []),
  executor: { kind: 'builtin', name: 'current_time' },
};
