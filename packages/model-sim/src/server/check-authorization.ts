import { ApiError } from '../api/api-error.js';

const NO_KEY =
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password.";

/** Refuses a request without a bearer key, or with another key than the expected one. Any key will do if none is expected. */
export function checkAuthorization(header: string | undefined, expectedKey: string | undefined): void {
  const key = /^Bearer\s+(\S+)$/i.exec(header ?? '')?.[1];
  if (!key) throw new ApiError(401, NO_KEY);
  if (expectedKey !== undefined && key !== expectedKey) {
    throw new ApiError(401, `Incorrect API key provided: ${masked(key)}.`, { code: 'invalid_api_key' });
  }
}

function masked(key: string): string {
  return key.length <= 8
    ? '*'.repeat(key.length)
    : `${key.slice(0, 4)}${'*'.repeat(key.length - 8)}${key.slice(-4)}`;
}
