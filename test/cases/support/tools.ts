import type { JsonObject } from '@plinth/protocol';

const object = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** A form of the host page. Its submission is `{ value: string }`. */
export const formTool = (key: string): JsonObject => ({
  key,
  title: `Form ${key}`,
  description: 'Asks the person for a value.',
  parameters: object({ question: { type: 'string' } }),
  executor: { kind: 'component', component: 'ValueForm', submit: object({ value: { type: 'string' } }) },
});

/** A remote job at `<jobs>/<key>`: a side effect that is recorded there. */
export const jobTool = (key: string, jobs: string, more: JsonObject = {}): JsonObject => ({
  key,
  title: `Job ${key}`,
  description: 'Starts a job.',
  parameters: object({ subject: { type: 'string' } }),
  executor: { kind: 'remote', url: `${jobs}/${key}` },
  ...more,
});

export const clockTool: JsonObject = {
  key: 'current_time',
  title: 'Clock',
  description: 'Tells the time.',
  parameters: object({ timeZone: { type: 'string' } }, []),
  executor: { kind: 'builtin', name: 'current_time' },
};
