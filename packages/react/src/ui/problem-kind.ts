import type { PlinthClientError } from '@plinth/client';

/** What a person can do about a call that failed: each has a text of its own. */
export type ProblemKind =
  | 'offline'
  | 'slow'
  | 'signedOut'
  | 'forbidden'
  | 'notFound'
  | 'tooMany'
  | 'unavailable'
  | 'tooLarge'
  | 'fileGone'
  | 'refused';

const BY_CODE: Readonly<Record<string, ProblemKind>> = {
  network: 'offline',
  timeout: 'slow',
  auth_failed: 'signedOut',
  invalid_response: 'unavailable',
  attachment_not_found: 'fileGone',
};
const BY_STATUS: Readonly<Record<number, ProblemKind>> = {
  401: 'signedOut',
  403: 'forbidden',
  404: 'notFound',
  408: 'slow',
  413: 'tooLarge',
  429: 'tooMany',
};

/** Which of them an error is. A code says more than a status, and a newer server's code falls back to its status. */
export function problemKind({ code, status }: Pick<PlinthClientError, 'code' | 'status'>): ProblemKind {
  return BY_CODE[code] ?? BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'refused');
}
