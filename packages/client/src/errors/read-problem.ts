import type { FieldError } from '@plinth/protocol';
import { PlinthClientError } from './plinth-client-error.js';

/** Turns a refusal into a typed error, whatever came instead of `application/problem+json`. */
export async function readProblem(response: Response, what: string): Promise<PlinthClientError> {
  const body: unknown = await response.json().catch(() => null);
  const { code, detail, title, facts, errors, requestId } = isRecord(body) ? body : {};
  return new PlinthClientError({
    code: typeof code === 'string' ? code : codeOf(response.status),
    message: firstText(detail, title) ?? `${what} was refused with status ${response.status}.`,
    status: response.status,
    facts: isRecord(facts) ? facts : {},
    fields: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    ...(typeof requestId === 'string' ? { requestId } : {}),
  });
}

/** A proxy between here and the server answers without a code; these statuses say enough. */
function codeOf(status: number): string {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  return status >= 500 ? 'not_ready' : 'invalid_request';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const firstText = (...texts: unknown[]) =>
  texts.find((text): text is string => typeof text === 'string' && text !== '');

const isFieldError = (value: unknown): value is FieldError =>
  isRecord(value) && typeof value.path === 'string' && typeof value.message === 'string';
