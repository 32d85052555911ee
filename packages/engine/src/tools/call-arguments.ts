import type { JsonObject, ToolDefinition } from '@plinth/protocol';
import type { ToolCall } from '../runs/run.js';
import { describeFields, validateAgainst } from './json-schema.js';

/** Reads JSON text as an object; null when it is not one. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

/** The arguments that a call runs with: a person's edit if there is one, else the model's own. */
export function effectiveArguments(call: ToolCall): JsonObject | null {
  return parseObject(call.argumentsEdited ?? call.argumentsRaw);
}

/** Null when the call may go on; else what the model should know to call again correctly. */
export function argumentProblem(call: ToolCall, tool: ToolDefinition): string | null {
  const value = effectiveArguments(call);
  if (value === null) return 'The arguments are not a JSON object. Send them again as valid JSON.';
  const fields = validateAgainst(tool.parameters, value);
  return fields.length === 0
    ? null
    : `The arguments do not fit the schema: ${describeFields(fields)}. Correct them and call again.`;
}
