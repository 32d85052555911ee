import type { JobCancellation } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { OutboundClient } from '../platform/outbound/outbound-client.js';

/** Milliseconds for the service to answer. Nobody waits for it, but it must not stay for ever. */
const TIMEOUT_MS = 5_000;

/** The service does not have the job, or not any more: what was wanted. */
const IS_OVER = new Set([404, 409, 410]);

/**
 * Tells a job's service that nobody waits for it any more: one POST, no second try.
 *
 * @throws Error when the service did not take it
 */
export async function cancelRemoteJob(
  outbound: Pick<OutboundClient, 'send'>,
  tenant: TenantId,
  url: string,
  { callId, idempotencyKey, reason }: JobCancellation,
): Promise<void> {
  const result = await outbound.send(
    tenant,
    {
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ callId, idempotencyKey, reason }),
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      plan: () => ({ maxBytes: 0, longer: 'cut' }),
    },
    new AbortController().signal,
  );
  if (!result.ok) throw new Error(`The service could not be told: it ${result.failure.message}.`);
  const { status } = result.response;
  if ((status >= 200 && status < 300) || IS_OVER.has(status)) return;
  throw new Error(`The service answered ${status} to a cancelled job.`);
}
