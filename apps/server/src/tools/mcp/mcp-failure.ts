import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { OutboundError } from '../../platform/outbound/outbound-failure.js';

/**
 * What became of a request to an MCP server.
 *
 * - `unavailable`: it did not reach the server, and had no effect
 * - `lost`: it was sent and the answer will never come; nobody knows whether it took effect
 * - `timed_out`: the answer did not come in time; the same holds
 * - `too_large`: the answer is longer than is taken
 * - `bad_answer`: the server answered something that the protocol does not know
 * - `refused`: the server's own error, in its own words
 */
export type McpFailureKind = 'unavailable' | 'lost' | 'timed_out' | 'too_large' | 'bad_answer' | 'refused';

/** A named failure of an MCP server. The message says what happened, without addresses: a model may read it. */
export class McpFailure extends Error {
  constructor(
    readonly kind: McpFailureKind,
    message: string,
    /** JSON-RPC code of a refusal. */
    readonly code: number | null = null,
  ) {
    super(message);
    this.name = 'McpFailure';
  }
}

/**
 * Most bytes of one message of a server: 12 MiB of files in base64. The SDK looks through all of a message that is not
 * complete again with each piece of it, so what is twice as long takes four times the time of the whole process.
 */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** What a bounded body fails with. */
export class MessageTooLarge extends Error {
  constructor() {
    super(`the answer is longer than ${MAX_MESSAGE_BYTES} bytes`);
    this.name = 'MessageTooLarge';
  }
}

/** JSON-RPC code of our own, beside those of the protocol: the stream of an answer was cut for its length. */
export const TOO_LARGE = -32_090;

const LONGEST_WORDS = 2000;

/** What an answer is that is cut off for its length. */
export const tooLarge = () => new McpFailure('too_large', 'answered with more than can be taken');

/** Statuses with which a server says that it has not taken the request. */
function httpFailure({ code = 0 }: StreamableHTTPError): McpFailure {
  if (code === 404) return new McpFailure('unavailable', 'has ended the session; a new call opens another');
  if (code === 401 || code === 403) return new McpFailure('unavailable', `refuses the credentials (${code})`);
  if (code >= 400 && code < 500) return new McpFailure('unavailable', `refuses the request (${code})`);
  return new McpFailure('lost', code > 0 ? `answered ${code}` : 'gave no answer that can be read');
}

/** With these nothing was sent. */
const NOT_CONNECTED = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The error itself and what it was caused by, down to the first cause. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at instanceof Error && causes.length < 10; at = at.cause) {
    causes.push(at);
    if (at instanceof AggregateError) causes.push(...at.errors);
  }
  return causes;
}

function networkFailure(causes: readonly unknown[]): McpFailure {
  const codes = causes.map((cause) => (cause as NodeJS.ErrnoException).code);
  const code = codes.find((found) => typeof found === 'string') ?? 'network error';
  const kind = NOT_CONNECTED.has(code) ? 'unavailable' : 'lost';
  return new McpFailure(kind, `could not be reached (${code})`);
}

function rpcFailure(error: McpError): McpFailure {
  const words = error.message.replace(/^MCP error -?\d+: /, '').slice(0, LONGEST_WORDS);
  if (error.code === ErrorCode.RequestTimeout) return new McpFailure('timed_out', 'gave no answer in time');
  if (error.code === TOO_LARGE) return tooLarge();
  if (error.code === ErrorCode.ConnectionClosed) return new McpFailure('lost', 'has gone away');
  return new McpFailure('refused', words, error.code);
}

/** Names what a request to a server ended with. Errors that are not the server's doing are handed back as they are. */
export function failureOf(error: unknown): unknown {
  if (error instanceof McpFailure) return error;
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof MessageTooLarge)) return tooLarge();
  const refused = causes.find((cause) => cause instanceof OutboundError);
  if (refused) return new McpFailure('unavailable', refused.message);
  if (error instanceof McpError) return rpcFailure(error);
  if (error instanceof StreamableHTTPError) return httpFailure(error);
  if (error instanceof UnauthorizedError) return new McpFailure('unavailable', 'refuses the credentials');
  if (error instanceof z.ZodError || error instanceof z.core.$ZodError || error instanceof SyntaxError)
    return new McpFailure('bad_answer', 'answered something that the protocol does not know');
  if (error instanceof TypeError && error.cause !== undefined) return networkFailure(causes);
  return error;
}
