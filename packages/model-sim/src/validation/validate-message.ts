import { badRequest, emptyArray, missingParameter, unsupportedValue, wrongType } from '../api/api-error.js';
import { type ChatMessage, isJsonObject, type JsonObject } from '../api/chat-request.js';
import { validateContentParts } from './validate-content-parts.js';
import { validateFunctionName } from './validate-function-name.js';

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];

/** `reasoning_content` is not in the API itself; compatible servers want it back, so it is let through. */
const KNOWN_KEYS = new Set([
  'role',
  'content',
  'name',
  'refusal',
  'audio',
  'tool_calls',
  'function_call',
  'tool_call_id',
  'reasoning_content',
]);
const KNOWN_CALL_KEYS = new Set(['id', 'type', 'function']);

/** Refuses one message whose role, content or tool calls are malformed. Its neighbours are not looked at. */
export function validateMessage(message: unknown, index: number): ChatMessage {
  const path = `messages[${index}]`;
  if (!isJsonObject(message)) throw wrongType(path, 'an object', message);
  if (message.role === undefined) throw missingParameter(`${path}.role`);
  if (typeof message.role !== 'string' || !ROLES.includes(message.role)) {
    throw unsupportedValue(`${path}.role`, message.role, ROLES);
  }
  refuseUnknownKeys(message, KNOWN_KEYS, path);
  validateContent(message, index);
  if (message.tool_calls !== undefined) validateToolCalls(message.tool_calls, `${path}.tool_calls`);
  if (message.role === 'tool') validateToolCallId(message.tool_call_id, `${path}.tool_call_id`);
  return message as ChatMessage;
}

function validateContent(message: JsonObject, index: number): void {
  const { content, role } = message;
  if (content === undefined || content === null) {
    const mayBeEmpty =
      role === 'function' ||
      (role === 'assistant' && (message.tool_calls ?? message.function_call ?? message.refusal));
    if (!mayBeEmpty)
      throw badRequest(
        "Invalid value for 'content': expected a string, got null.",
        `messages.[${index}].content`,
      );
    return;
  }
  if (typeof content === 'string') return;
  if (!Array.isArray(content))
    throw wrongType(`messages[${index}].content`, 'one of a string or array of objects', content);
  validateContentParts(content, role as string, index);
}

function validateToolCalls(calls: unknown, path: string): void {
  if (!Array.isArray(calls)) throw wrongType(path, 'an array of objects', calls);
  if (calls.length === 0) throw emptyArray(path);
  for (const [index, call] of calls.entries()) validateToolCall(call, `${path}[${index}]`);
}

function validateToolCall(call: unknown, path: string): void {
  if (!isJsonObject(call)) throw wrongType(path, 'an object', call);
  refuseUnknownKeys(call, KNOWN_CALL_KEYS, path);
  if (call.id === undefined) throw missingParameter(`${path}.id`);
  if (typeof call.id !== 'string') throw wrongType(`${path}.id`, 'a string', call.id);
  if (call.type === undefined) throw missingParameter(`${path}.type`);
  if (call.type !== 'function') throw unsupportedValue(`${path}.type`, call.type, ['function']);
  if (!isJsonObject(call.function)) throw wrongType(`${path}.function`, 'an object', call.function);
  validateFunctionName(call.function.name, `${path}.function.name`);
  if (typeof call.function.arguments !== 'string') {
    throw wrongType(`${path}.function.arguments`, 'a string', call.function.arguments);
  }
}

function validateToolCallId(id: unknown, path: string): void {
  if (id === undefined) throw missingParameter(path);
  if (typeof id !== 'string') throw wrongType(path, 'a string', id);
}

function refuseUnknownKeys(value: JsonObject, known: Set<string>, path: string): void {
  for (const key of Object.keys(value)) {
    if (!known.has(key))
      throw badRequest(`Unknown parameter: '${path}.${key}'.`, `${path}.${key}`, 'unknown_parameter');
  }
}
