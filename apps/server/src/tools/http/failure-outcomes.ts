import type { ToolOutcome } from '@plinth/engine';
import type { RunError } from '@plinth/protocol';
import type { OutboundResponse } from '../../platform/outbound/outbound-client.js';
import type { OutboundFailure } from '../../platform/outbound/outbound-failure.js';
import { readRefusal } from '../read-refusal.js';
import { isSuccess } from './response-plan.js';

/** What a call may do when it is repeated. */
export interface Effect {
  /** A second one does no harm: a GET, or a tool that is declared idempotent. */
  isRepeatable: boolean;
}

const NOT_NOW = 'Do not retry now.';
const SET_UP = 'Do not retry; tell the user that the set-up of this tool has to be checked.';
const NO_REPEAT = 'Do not repeat it.';

export const failed = (code: string, message: string): ToolOutcome => ({
  kind: 'failed',
  error: { code, message },
});

/** It may have taken effect, and nobody knows: the engine tells the model so, or has a person asked first. */
const unknown = (code: string, why: string): ToolOutcome => ({
  kind: 'unknown',
  error: { code, message: `The service ${why}.` },
});

/**
 * What a request that brought no usable answer means for the model.
 *
 * @param answered the status, where the answer had begun
 */
export function outcomeOfFailure(
  failure: OutboundFailure,
  answered: number | null,
  effect: Effect,
): ToolOutcome {
  const { code, message, mayHaveArrived } = failure;
  const did = `The service ${message}.`;
  if (!effect.isRepeatable && answered !== null && isSuccess(answered))
    return failed(
      code,
      `This was carried out (status ${answered}), but what came back cannot be used. ${did} ${NO_REPEAT}`,
    );
  if (!effect.isRepeatable && mayHaveArrived)
    return unknown(code === 'broken_response' ? 'connection_lost' : code, message);
  switch (code) {
    case 'timed_out':
      return failed(code, `${did} ${NOT_NOW}`);
    case 'unreachable':
    case 'broken_response':
      return failed('unavailable', `${did} ${NOT_NOW}`);
    case 'too_large':
      return failed(code, `${did} Call again only with arguments that ask for less.`);
    case 'blocked_address':
    case 'bad_redirect':
    case 'unsupported_content':
    case 'invalid_request':
      return failed(code, `${did} ${SET_UP}`);
  }
}

/** What an answer that is no success means for the model. `now`: milliseconds since the Unix epoch. */
export function outcomeOfStatus(
  { status, headers, body }: OutboundResponse,
  effect: Effect,
  now: number,
  redact: (text: string) => string,
): ToolOutcome {
  const said = readRefusal(status, body);
  const words: RunError = { code: redact(said.code), message: redact(said.message) };
  if (status === 401 || status === 403)
    return failed(
      'not_permitted',
      `The service does not let this tool in (status ${status}): ${words.message} ${SET_UP}`,
    );
  if (status === 429) {
    const wait = retryAfterSeconds(headers['retry-after'], now);
    const when = wait === null ? NOT_NOW : `Do not call it again within ${wait} seconds.`;
    return failed('rate_limited', `The service takes no more requests for now: ${words.message} ${when}`);
  }
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'failed', error: words };
  // 501 and 503: the service says itself that it did not do it.
  if (effect.isRepeatable || status === 501 || status === 503)
    return failed('unavailable', `The service answered with status ${status}: ${words.message} ${NOT_NOW}`);
  return unknown(`http_${status}`, `answered with status ${status}: ${words.message}`);
}

/** Seconds to wait, from a number or a date (RFC 9110, 10.2.3); null when there is neither. */
function retryAfterSeconds(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
