import type { ServerResponse } from 'node:http';
import { sendJson } from './send-json.js';

/** Ends a response with an error: a JSON value, or a page of HTML when it is a string. */
export function sendError(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (typeof body !== 'string') {
    sendJson(response, status, body, headers);
    return;
  }
  response.writeHead(status, {
    'content-type': 'text/html',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
