import { badRequest, missingParameter, wrongType } from '../api/api-error.js';

const PATTERN = /^[a-zA-Z0-9_-]+$/;
const MAX_LENGTH = 64;

/** Refuses a function name that the API would not take: letters, digits, `_` and `-`, at most 64 of them. */
export function validateFunctionName(name: unknown, path: string): void {
  if (name === undefined) throw missingParameter(path);
  if (typeof name !== 'string') throw wrongType(path, 'a string', name);
  if (name.length > MAX_LENGTH) {
    const message = `Invalid '${path}': string too long. Expected a string with maximum length ${MAX_LENGTH}, but got a string with length ${name.length} instead.`;
    throw badRequest(message, path, 'string_above_max_length');
  }
  if (!PATTERN.test(name)) {
    const message = `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '${PATTERN.source}'.`;
    throw badRequest(message, path, 'invalid_value');
  }
}
