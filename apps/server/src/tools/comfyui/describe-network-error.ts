/** What a failed fetch says about its cause, without addresses: the text may reach a model or a person. */
export function describeNetworkError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown network error';
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : cause.message.slice(0, 100);
}
