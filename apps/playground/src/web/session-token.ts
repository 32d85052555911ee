/** The token of the backend's answer. */
export function sessionTokenResponse(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string')
    return body.token;
  throw new Error('The backend of Poster studio gave no session token.');
}
