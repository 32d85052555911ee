import type { JsonObject, ToolDefinition } from '@plinth/protocol';
import type { ToolCall } from '../runs/run.js';
import { asksUser, askUserProblem } from './ask-user.js';
import { describeForModel, quoted } from './describe-for-model.js';
import { schemaErrors } from './json-schema.js';

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

/** What the model had asked for, beside what a person has put in its place. Both stay visible. */
export function originalArguments(call: ToolCall): { originalArguments?: JsonObject | null } {
  return call.argumentsEdited === null ? {} : { originalArguments: parseObject(call.argumentsRaw) };
}

/** Null when the call may go on; else what the model should know to call again correctly. */
export function argumentProblem(call: ToolCall, tool: ToolDefinition): string | null {
  const value = effectiveArguments(call);
  if (value === null) return notAnObject(call.argumentsEdited ?? call.argumentsRaw);
  const errors = schemaErrors(tool.parameters, value);
  if (errors.length > 0)
    return `The arguments do not fit the schema of "${tool.key}". Correct this and call again:\n${describeForModel(errors)}`;
  // What is asked has rules that the definition's own schema may not have.
  const problem = asksUser(tool.executor) ? askUserProblem(value) : null;
  return problem === null ? null : `This cannot be asked: ${problem}. Correct it and call again.`;
}

function notAnObject(text: string): string {
  try {
    return `The arguments are not a JSON object but ${quoted(JSON.parse(text))}. Send one object that holds them by name.`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `The arguments are not a JSON object: ${why.slice(0, 200)}. Send them again as valid JSON.`;
  }
}
