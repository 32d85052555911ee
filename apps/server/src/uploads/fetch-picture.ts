import type { ArtifactStore, StoredFile } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { detectArtifact } from '../artifacts/detect-artifact.js';
import type { OutboundClient, OutboundHead } from '../platform/outbound/outbound-client.js';
import type { OutboundFailureCode } from '../platform/outbound/outbound-failure.js';
import type { BodyPlan } from '../platform/outbound/read-body.js';

/** Bytes of a picture that is fetched. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Milliseconds from the start to the last byte, redirects included. */
const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 5;
const LONGEST_TITLE = 200;

/** `message` is a sentence, and tells no address. */
export interface PictureFailure {
  code: OutboundFailureCode | 'http_status' | 'not_a_picture';
  message: string;
}
export type FetchedPicture = { ok: true; file: StoredFile } | { ok: false; failure: PictureFailure };

/**
 * Fetches a picture once into the tenant's own store, so that no later request depends on another's server. Each
 * connection, that of a redirect too, is checked at the address that it really goes to.
 *
 * @throws the signal's reason when it aborts; Error when the bytes cannot be stored
 */
export async function fetchPicture(
  { outbound, store }: { outbound: Pick<OutboundClient, 'send'>; store: ArtifactStore },
  tenant: TenantId,
  url: string,
  signal: AbortSignal,
): Promise<FetchedPicture> {
  const result = await outbound.send(
    tenant,
    {
      url,
      method: 'GET',
      headers: { accept: 'image/*' },
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
      plan,
    },
    signal,
  );
  if (!result.ok) return failed(result.failure.code, `The server of this picture ${result.failure.message}.`);
  const { status, body } = result.response;
  if (!isGood(status))
    return failed('http_status', `The server of this picture answered with status ${status}.`);
  const { kind, mimeType } = await detectArtifact(body);
  if (kind !== 'image')
    return failed(
      'not_a_picture',
      `The server of this picture sent something else: its bytes are ${mimeType}.`,
    );
  return { ok: true, file: { title: titleOf(url), kind, mimeType, ...(await store.put(tenant, body)) } };
}

const isGood = (status: number) => status >= 200 && status < 300;
const failed = (code: PictureFailure['code'], message: string): FetchedPicture => ({
  ok: false,
  failure: { code, message },
});

function plan({ status }: OutboundHead): BodyPlan {
  return isGood(status) ? { maxBytes: MAX_BYTES, longer: 'refuse' } : { maxBytes: 0, longer: 'cut' };
}

/** The last part of the path, as a person would read it; else the host. */
function titleOf(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? hostname;
  const cut = decoded(last).slice(0, LONGEST_TITLE);
  return cut.replace(/[\uD800-\uDBFF]$/, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
