import { badRequest, emptyArray, missingParameter, unsupportedValue, wrongType } from '../api/api-error.js';
import { isJsonObject, type JsonObject } from '../api/chat-request.js';
import { validateFunctionName } from './validate-function-name.js';

const MAX_TOOLS = 128;
const NOT_AT_TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];
const CHOICES = ['none', 'auto', 'required'];
const MODES = ['auto', 'required'];

/** Refuses tool definitions whose name or parameter schema the API does not take; gives back the names. */
export function validateTools(tools: unknown): string[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw wrongType('tools', 'an array of objects', tools);
  if (tools.length === 0) throw emptyArray('tools');
  if (tools.length > MAX_TOOLS) {
    const message = `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_TOOLS}, but got an array with length ${tools.length} instead.`;
    throw badRequest(message, 'tools', 'array_above_max_length');
  }
  return tools.map((tool: unknown, index) => validateTool(tool, `tools[${index}]`));
}

function validateTool(tool: unknown, path: string): string {
  if (!isJsonObject(tool)) throw wrongType(path, 'an object', tool);
  if (tool.type === undefined) throw missingParameter(`${path}.type`);
  if (tool.type !== 'function') throw unsupportedValue(`${path}.type`, tool.type, ['function']);
  if (tool.function === undefined) throw missingParameter(`${path}.function`);
  if (!isJsonObject(tool.function)) throw wrongType(`${path}.function`, 'an object', tool.function);
  const { name, parameters, description } = tool.function;
  validateFunctionName(name, `${path}.function.name`);
  if (description !== undefined && typeof description !== 'string') {
    throw wrongType(`${path}.function.description`, 'a string', description);
  }
  if (parameters !== undefined) validateParameters(parameters, name as string, `${path}.function.parameters`);
  return name as string;
}

function validateParameters(schema: unknown, name: string, path: string): void {
  if (!isJsonObject(schema)) throw wrongType(path, 'an object', schema);
  const invalid = (reason: string) =>
    badRequest(`Invalid schema for function '${name}': ${reason}`, path, 'invalid_function_parameters');
  if (schema.type !== 'object') {
    const actual = typeof schema.type === 'string' ? schema.type : 'None';
    throw invalid(`schema must be a JSON Schema of 'type: "object"', got 'type: "${actual}"'.`);
  }
  if (NOT_AT_TOP.some((key) => key in schema)) {
    throw invalid(
      "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
    );
  }
  const array = findArrayWithoutItems(schema, []);
  if (array)
    throw invalid(`In context=(${array.map((key) => `'${key}'`).join(', ')}), array schema missing items.`);
}

function findArrayWithoutItems(schema: JsonObject, path: string[]): string[] | null {
  if (schema.type === 'array' && schema.items === undefined && schema.prefixItems === undefined) return path;
  if (isJsonObject(schema.items)) {
    const found = findArrayWithoutItems(schema.items, [...path, 'items']);
    if (found) return found;
  }
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  for (const [key, property] of properties) {
    const found = isJsonObject(property)
      ? findArrayWithoutItems(property, [...path, 'properties', key])
      : null;
    if (found) return found;
  }
  return null;
}

/** Refuses a tool choice without tools, or one that names a tool which is not offered. */
export function validateToolChoice(choice: unknown, offered: string[]): void {
  if (choice === undefined || choice === null) return;
  if (offered.length === 0) {
    throw badRequest(
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      'tool_choice',
    );
  }
  if (typeof choice === 'string') {
    if (!CHOICES.includes(choice)) throw unsupportedValue('tool_choice', choice, CHOICES);
    return;
  }
  if (!isJsonObject(choice)) throw wrongType('tool_choice', 'one of a string or object', choice);
  for (const name of namesIn(choice)) {
    if (!offered.includes(name)) {
      throw badRequest(
        `Invalid value for 'tool_choice': no function named '${name}' was specified in the 'tools' parameter.`,
        'tool_choice',
      );
    }
  }
}

function namesIn(choice: JsonObject): string[] {
  if (choice.type === 'function') return [functionNameOf(choice, 'tool_choice')];
  if (choice.type !== 'allowed_tools')
    throw unsupportedValue('tool_choice.type', choice.type, ['function', 'allowed_tools']);
  return namesAllowed(choice.allowed_tools, 'tool_choice.allowed_tools');
}

function namesAllowed(allowed: unknown, path: string): string[] {
  if (allowed === undefined) throw missingParameter(path);
  if (!isJsonObject(allowed)) throw wrongType(path, 'an object', allowed);
  const { mode, tools } = allowed;
  if (mode === undefined) throw missingParameter(`${path}.mode`);
  if (typeof mode !== 'string' || !MODES.includes(mode)) throw unsupportedValue(`${path}.mode`, mode, MODES);
  if (tools === undefined) throw missingParameter(`${path}.tools`);
  if (!Array.isArray(tools)) throw wrongType(`${path}.tools`, 'an array of objects', tools);
  if (tools.length === 0) throw emptyArray(`${path}.tools`);
  return tools.map((tool: unknown, index) => {
    const at = `${path}.tools[${index}]`;
    if (isJsonObject(tool) && tool.type !== 'function')
      throw unsupportedValue(`${at}.type`, tool.type, ['function']);
    return functionNameOf(tool, at);
  });
}

function functionNameOf(holder: unknown, path: string): string {
  const inner = isJsonObject(holder) ? holder.function : undefined;
  if (!isJsonObject(inner) || typeof inner.name !== 'string') throw missingParameter(`${path}.function.name`);
  return inner.name;
}
