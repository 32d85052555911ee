import { createHash } from 'node:crypto';

/**
 * AG-UI has no idempotency keys; a request that is sent again has the same message, answer or result in it. Keys made of
 * these give it the same run and the same answer. Hashed, since what a client sends may be longer than a key.
 */
const keyOf = (...parts: readonly (string | undefined)[]) =>
  `agui:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;

/** The run that took this user message of this conversation. */
export const runKey = (threadName: string, messageId: string): string => keyOf('run', threadName, messageId);

/** This very answer to this interrupt. */
export const answerKey = (interruptId: string, status: string, payload: unknown): string =>
  keyOf('answer', interruptId, status, JSON.stringify(payload));

/** The page that brings this result of a frontend tool. */
export const resultKey = (callId: string, content: string, error: string | undefined): string =>
  keyOf('result', callId, content, error);
