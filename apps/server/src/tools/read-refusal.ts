import type { RunError } from '@plinth/protocol';
import { z } from 'zod';

/** Bytes of a refusal that are worth reading. */
export const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_CODE_LENGTH = 100;
const MAX_MESSAGE_LENGTH = 2000;

const said = z.object({
  code: z.string().min(1).optional(),
  message: z.string().min(1).optional(),
  detail: z.string().min(1).optional(),
  title: z.string().min(1).optional(),
});

/**
 * What a service says when it refuses a job: `{ code, message }`, the same inside `error`, or an RFC 9457
 * problem; else its status and text. Cut to a length that a model's context can bear.
 */
export function readRefusal(status: number, body: Uint8Array): RunError {
  const { code, message } = parseRefusal(Buffer.from(body).toString('utf8'));
  return {
    code: (code ?? `http_${status}`).slice(0, MAX_CODE_LENGTH),
    message: (message ?? `The service refused it with status ${status}.`).slice(0, MAX_MESSAGE_LENGTH),
  };
}

function parseRefusal(text: string): { code: string | undefined; message: string | undefined } {
  const body = parseJson(text);
  if (typeof body === 'string') return { code: undefined, message: body };
  const parsed = said.safeParse(hasError(body) ? body.error : body);
  if (!parsed.success) return { code: undefined, message: text.trim() || undefined };
  const { code, message, detail, title } = parsed.data;
  return { code, message: message ?? detail ?? title };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim() === '' ? {} : text.trim();
  }
}

function hasError(body: unknown): body is { error: object } {
  return (
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    typeof body.error === 'object' &&
    body.error !== null
  );
}
