import type { JsonValue, RunError, ToolDefinition } from '@plinth/protocol';
import { describeFields, validateAgainst } from './json-schema.js';

/** Fields that the model is told of. A list of thousands of wrong items says the same thing thousands of times. */
const MOST_FIELDS = 10;

/**
 * Null when the result is what the tool promised. Else what the model should know: the tool has run, so that calling it
 * again repeats what it did, and mends nothing.
 */
export function outputProblem(tool: ToolDefinition, value: JsonValue): RunError | null {
  if (tool.output === undefined) return null;
  const fields = validateAgainst(tool.output, value);
  if (fields.length === 0) return null;
  const more = fields.length > MOST_FIELDS ? `; and ${fields.length - MOST_FIELDS} more` : '';
  const named = describeFields(fields.slice(0, MOST_FIELDS)).slice(0, 1500);
  const message = `The tool ran, and its result does not have the promised form: ${named}${more}. The result was not kept. Calling it again would repeat what it did: tell the user.`;
  return { code: 'invalid_output', message };
}
