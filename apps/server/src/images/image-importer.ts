import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ArtifactStore, Clock } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { detectArtifact } from '../artifacts/detect-artifact.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import type { OutboundClient, OutboundHead, OutboundResponse } from '../platform/outbound/outbound-client.js';
import { OutboundError, type OutboundFailureCode } from '../platform/outbound/outbound-failure.js';
import type { BodyPlan } from '../platform/outbound/read-body.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { unlessAborted } from './unless-aborted.js';

/** Bytes of a picture that is fetched. */
export const MAX_IMPORT_BYTES = 32 * 1024 * 1024;
/** Milliseconds from the start to the last byte, redirects included. */
const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 5;
/** Milliseconds for which an address stands for what it brought last. */
const FRESH_MS = 600_000;
/** Types that say nothing of the bytes. */
const VAGUE_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** A picture from elsewhere, now in our own store. */
export interface ImportedImage {
  sha256: string;
  storageKey: string;
  sizeBytes: number;
  /** By the bytes. */
  mimeType: string;
  /** The file's name in the address. */
  title: string;
}

/** `code` is stable; `message` is a sentence, and tells no address of ours. */
export interface ImportFailure {
  code: OutboundFailureCode | 'http_status' | 'not_a_picture';
  message: string;
}

export type Imported = { ok: true; image: ImportedImage } | { ok: false; failure: ImportFailure };

/**
 * Fetches a picture once into our own store, so that no model and no later turn depends on another's server. Each
 * connection, that of a redirect too, is checked at the address that it really goes to.
 */
export class ImageImporter {
  readonly #running = new Map<string, Promise<Imported>>();

  constructor(
    private readonly ports: {
      outbound: Pick<OutboundClient, 'send'>;
      database: TenantDatabase;
      artifacts: ArtifactStore;
      clock: Clock;
    },
  ) {}

  /**
   * The same address within ten minutes is not fetched again for the same tenant; a failure is.
   *
   * @throws the signal's reason when it aborts; Error when bytes cannot be stored
   */
  async importUrl(tenant: TenantId, url: string, signal: AbortSignal): Promise<Imported> {
    signal.throwIfAborted();
    const urlSha256 = createHash('sha256').update(withoutFragment(url)).digest('hex');
    const title = titleOf(url);
    const key = `${tenant}\n${urlSha256}`;
    for (let running = this.#running.get(key); running !== undefined; running = this.#running.get(key)) {
      // Null: it was cut off with the request of the one who began it.
      const shared = await unlessAborted(
        running.catch(() => null),
        signal,
      );
      if (shared !== null) return shared.ok ? { ok: true, image: { ...shared.image, title } } : shared;
    }
    const importing = this.#recentOrFetched(tenant, { url, urlSha256, title }, signal).finally(() => {
      if (this.#running.get(key) === importing) this.#running.delete(key);
    });
    // Before anything is waited for: who asks at the same time must find it.
    this.#running.set(key, importing);
    return importing;
  }

  async #recentOrFetched(
    tenant: TenantId,
    asked: { url: string; urlSha256: string; title: string },
    signal: AbortSignal,
  ): Promise<Imported> {
    const recent = await this.#recent(tenant, asked.urlSha256);
    if (recent !== null) return { ok: true, image: { ...recent, title: asked.title } };
    return this.#fetch(tenant, asked, signal);
  }

  async #recent(tenant: TenantId, urlSha256: string): Promise<Omit<ImportedImage, 'title'> | null> {
    const row = await this.ports.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.imageImport.findUnique({ where: { tenantId_urlSha256: { tenantId: tenant, urlSha256 } } }),
    );
    if (row === null || row.fetchedAt.getTime() + FRESH_MS <= this.ports.clock.now()) return null;
    const { sha256, storageKey, sizeBytes, mimeType } = row;
    return { sha256, storageKey, sizeBytes, mimeType };
  }

  async #fetch(
    tenant: TenantId,
    { url, urlSha256, title }: { url: string; urlSha256: string; title: string },
    signal: AbortSignal,
  ): Promise<Imported> {
    const { outbound, artifacts } = this.ports;
    const result = await outbound.send(
      tenant,
      {
        url,
        method: 'GET',
        headers: { accept: 'image/*' },
        timeoutMs: TIMEOUT_MS,
        maxRedirects: MAX_REDIRECTS,
        plan: planOf,
      },
      signal,
    );
    if (!result.ok) {
      const { code, message } = result.failure;
      return { ok: false, failure: { code, message: `The server of this picture ${message}.` } };
    }
    const picture = await pictureIn(result.response);
    if (!picture.ok) return picture;
    const stored = await artifacts.put(tenant, result.response.body);
    const image = { ...stored, mimeType: picture.mimeType };
    await this.#remember(tenant, urlSha256, image);
    return { ok: true, image: { ...image, title } };
  }

  async #remember(tenant: TenantId, urlSha256: string, image: Omit<ImportedImage, 'title'>): Promise<void> {
    const data = { ...image, fetchedAt: new Date(this.ports.clock.now()) };
    await this.ports.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.imageImport.upsert({
        where: { tenantId_urlSha256: { tenantId: tenant, urlSha256 } },
        create: { tenantId: tenant, urlSha256, ...data },
        update: data,
      }),
    );
  }
}

function planOf({ status, contentType }: OutboundHead): BodyPlan {
  if (!isGood(status)) return { maxBytes: 0, longer: 'cut' };
  if (contentType.startsWith('image/') || VAGUE_TYPES.has(contentType))
    return { maxBytes: MAX_IMPORT_BYTES, longer: 'refuse' };
  throw new OutboundError('unsupported_content', `sent ${contentType.slice(0, 100)}, which is no picture`);
}

const isGood = (status: number) => status >= 200 && status < 300;

async function pictureIn({
  status,
  body,
}: OutboundResponse): Promise<{ ok: true; mimeType: string } | { ok: false; failure: ImportFailure }> {
  if (!isGood(status)) {
    const name = STATUS_CODES[status] === undefined ? '' : ` (${STATUS_CODES[status]})`;
    const message = `The server of this picture answered with status ${status}${name}.`;
    return { ok: false, failure: { code: 'http_status', message } };
  }
  const { kind, mimeType } = await detectArtifact(body);
  if (kind === 'image') return { ok: true, mimeType };
  const message = `The server of this picture sent something else: its bytes are ${mimeType}.`;
  return { ok: false, failure: { code: 'not_a_picture', message } };
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}

const LONGEST_TITLE = 200;

/** The last part of the path, as a person would read it; else the host. */
function titleOf(url: string): string {
  if (!URL.canParse(url)) return 'picture';
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? hostname;
  const title = decoded(last)
    .replace(/\p{Cc}/gu, '')
    .slice(0, LONGEST_TITLE)
    .replace(/[\uD800-\uDBFF]$/, '');
  return title === '' ? 'picture' : title;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
