import { expect } from 'vitest';
import { ApiError } from '../api/api-error.js';
import { validateChatRequest } from './validate-chat-request.js';

type Refusal = { status: number; message: string; param: string | null; code: string | null };

/** How a body is refused; fails when it is accepted. */
export function refusal(body: unknown): Refusal {
  try {
    validateChatRequest(body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, param, code } = error.body().error;
    return { status: error.status, message, param, code };
  }
  throw new Error('the request was accepted');
}
/** How a request with these messages is refused. */
export const refused = (messages: unknown[], rest: object = {}) => refusal({ model: 'm', messages, ...rest });
/** Fails when a request with these messages is refused. */
export const accepted = (messages: unknown[], rest: object = {}) =>
  expect(() => validateChatRequest({ model: 'm', messages, ...rest })).not.toThrow();
