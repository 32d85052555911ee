import { Refusal } from './refusal.js';

export type ApiErrorBody = {
  error: { message: string; type: string; param: string | null; code: string | null };
};

/** A refusal as the real API words it: an HTTP status and the JSON error body. */
export class ApiError extends Refusal {
  constructor(
    readonly status: number,
    message: string,
    readonly details: { type?: string; param?: string | null; code?: string | null } = {},
  ) {
    super(message);
  }

  body(): ApiErrorBody {
    const { type = 'invalid_request_error', param = null, code = null } = this.details;
    return { error: { message: this.message, type, param, code } };
  }
}

/** A 413 for a body over the limit. */
export function contentTooLarge(sizeBytes: number, limitBytes: number): ApiError {
  const message = `Maximum content size limit (${limitBytes}) exceeded (${sizeBytes} bytes read)`;
  return new ApiError(413, message, { code: 'request_too_large' });
}

/** A 400 that names the parameter it is about. */
export function badRequest(message: string, param: string | null, code: string | null = null): ApiError {
  return new ApiError(400, message, { param, code });
}

/** A 400 for a value of the wrong JSON type, worded "expected a string, but got an object instead". */
export function wrongType(param: string, expected: string, actual: unknown): ApiError {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${describeType(actual)} instead.`;
  return badRequest(message, param, 'invalid_type');
}

/** A 400 for a parameter that is not there. */
export function missingParameter(param: string): ApiError {
  return badRequest(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
}

/** A 400 for an array that must hold at least one item. */
export function emptyArray(param: string): ApiError {
  const message = `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  return badRequest(message, param, 'empty_array');
}

/** A 400 for a value outside a closed list. */
export function unsupportedValue(param: string, actual: unknown, supported: string[]): ApiError {
  const quoted = supported.map((value) => `'${value}'`);
  const list =
    quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}` : quoted.join('');
  return badRequest(
    `Invalid value: '${String(actual)}'. Supported values are: ${list}.`,
    param,
    'invalid_value',
  );
}

function describeType(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number';
  return `a ${typeof value}`;
}
