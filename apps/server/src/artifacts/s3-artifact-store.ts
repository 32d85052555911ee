import { createHash } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { ArtifactLost, type ArtifactStore } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { StorageFailure, type StorageFailureCode } from './storage-failure.js';
import { assertOwnKey, storageKeyOf } from './storage-key.js';

export interface S3Settings {
  bucket: string;
  region: string;
  /** Undefined: that of the region at AWS. */
  endpoint: string | undefined;
  /** The bucket stands in the path, not in the host: what most other services want. */
  pathStyle: boolean;
  /** In front of every key; '' or a text that ends with a slash. */
  prefix: string;
  /** Undefined: what the machine offers, such as a role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Milliseconds for one object, further tries included. */
  timeoutMs: number;
}

/** First try included. Both commands may be repeated: a key stands for its bytes. */
const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 5_000;
/** What is written and read at start. No tenant's id looks so. */
const PROBE_KEY = '.plinth-check';
const PROBE = new TextEncoder().encode('Plinth writes this at start to see that it can.\n');

/** Artifact bytes in a bucket of S3 or of what speaks like it, under `<prefix><storage key>`. */
export class S3ArtifactStore implements ArtifactStore {
  readonly #client: S3Client;

  constructor(private readonly settings: S3Settings) {
    const { region, endpoint, pathStyle, credentials, timeoutMs } = settings;
    this.#client = new S3Client({
      region,
      forcePathStyle: pathStyle,
      maxAttempts: MAX_ATTEMPTS,
      // Other services know only the checksum that is sent by hand.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: timeoutMs,
        throwOnRequestTimeout: true,
      },
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(credentials === undefined ? {} : { credentials }),
    });
  }

  /** @throws StorageFailure */
  async put(
    tenant: TenantId,
    bytes: Uint8Array,
  ): Promise<{ storageKey: string; sizeBytes: number; sha256: string }> {
    // A copy: what becomes of the caller's bytes while they travel must not matter.
    const body = Buffer.from(bytes);
    const { storageKey, sha256 } = storageKeyOf(tenant, body);
    await this.#write(storageKey, body, sha256);
    return { storageKey, sizeBytes: body.byteLength, sha256 };
  }

  /** @throws StorageFailure; ArtifactLost; Error when the key is not one of the tenant */
  async get(tenant: TenantId, storageKey: string): Promise<Uint8Array> {
    const sha256 = assertOwnKey(tenant, storageKey);
    const bytes = await this.#read(storageKey);
    if (sha256Of(bytes) !== sha256)
      throw new ArtifactLost(
        'damaged',
        `The bucket holds other bytes under ${storageKey} than its name says.`,
      );
    return bytes;
  }

  /**
   * By the time of the service. Who stores the same bytes between the look and the deletion, which are one round trip apart,
   * may lose them: a bucket has no way to do both at once.
   *
   * @throws StorageFailure; Error when the key is not one of the tenant
   */
  async remove(tenant: TenantId, storageKey: string, storedBefore: number): Promise<boolean> {
    assertOwnKey(tenant, storageKey);
    const storedAt = await this.#storedAt(storageKey);
    if (storedAt === null) return true;
    if (storedAt >= storedBefore) return false;
    await this.#within('delete', storageKey, (abortSignal) =>
      this.#client.send(new DeleteObjectCommand(this.#at(storageKey)), { abortSignal }),
    );
    return true;
  }

  /** Writes and reads a small object. @throws Error with a message for a person */
  async check(): Promise<void> {
    try {
      await this.#write(PROBE_KEY, PROBE, sha256Of(PROBE));
      await this.#read(PROBE_KEY);
    } catch (error) {
      const { bucket, endpoint } = this.settings;
      const isNamed = error instanceof StorageFailure || error instanceof ArtifactLost;
      const remedy = isNamed ? REMEDIES[error.code] : '';
      throw new Error(
        `Artifacts cannot be kept in the bucket "${bucket}"${endpoint === undefined ? '' : ` at ${endpoint}`}: ${(error as Error).message} ${remedy}`,
        { cause: error },
      );
    }
  }

  close(): void {
    this.#client.destroy();
  }

  #write(key: string, body: Uint8Array, sha256: string): Promise<void> {
    return this.#within('store', key, async (abortSignal) => {
      const checksum = Buffer.from(sha256, 'hex').toString('base64');
      const input = {
        ...this.#at(key),
        Body: body,
        ContentLength: body.byteLength,
        ChecksumSHA256: checksum,
      };
      await this.#client.send(new PutObjectCommand(input), { abortSignal });
    });
  }

  #read(key: string): Promise<Uint8Array> {
    return this.#within('read', key, async (abortSignal) => {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#at(key)), { abortSignal });
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    });
  }

  /** Null when there is none. */
  async #storedAt(key: string): Promise<number | null> {
    try {
      const { LastModified } = await this.#within('look up', key, (abortSignal) =>
        this.#client.send(new HeadObjectCommand(this.#at(key)), { abortSignal }),
      );
      // Of a service that does not say: as good as just now.
      return LastModified?.getTime() ?? Number.POSITIVE_INFINITY;
    } catch (error) {
      if (error instanceof ArtifactLost) return null;
      throw error;
    }
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.settings.bucket, Key: `${this.settings.prefix}${key}` };
  }

  async #within<T>(what: string, key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { timeoutMs } = this.settings;
    const cut = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // A body that has begun does not listen to the signal.
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new StorageFailure('timed_out', `The bucket did not ${what} ${key} within ${timeoutMs} ms.`));
        cut.abort();
      }, timeoutMs);
    });
    const working = work(cut.signal);
    try {
      return await Promise.race([working, late]);
    } catch (error) {
      throw error instanceof StorageFailure ? error : failureOf(error, what, key);
    } finally {
      clearTimeout(timer);
      working.catch(() => {});
    }
  }
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const REMEDIES: Record<StorageFailureCode | ArtifactLost['code'], string> = {
  missing: 'What was just written is not there: is PLINTH_S3_ENDPOINT the service itself?',
  damaged: 'What was just written reads otherwise: is PLINTH_S3_ENDPOINT the service itself?',
  denied:
    'Check PLINTH_S3_ACCESS_KEY_ID and PLINTH_S3_SECRET_ACCESS_KEY, and that they may get and put objects there.',
  no_bucket: 'Make the bucket, or set PLINTH_S3_BUCKET and PLINTH_S3_REGION to one that is there.',
  timed_out: 'Check PLINTH_S3_ENDPOINT and the network; PLINTH_S3_TIMEOUT_MS is how long is waited.',
  unavailable: 'Check PLINTH_S3_ENDPOINT, PLINTH_S3_REGION and PLINTH_S3_PATH_STYLE.',
};

function failureOf(error: unknown, what: string, key: string): StorageFailure | ArtifactLost {
  // The answer to HEAD has no body to name it in.
  if (error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound'))
    return new ArtifactLost('missing', `The bucket has no ${key}.`, error);
  const code = codeOf(error);
  const name = error instanceof Error ? error.name : 'Error';
  return new StorageFailure(code, `The bucket did not ${what} ${key}: ${code} (${name}).`, error);
}

function codeOf(error: unknown): StorageFailureCode {
  if (!(error instanceof Error)) return 'unavailable';
  if (error.name === 'NoSuchBucket') return 'no_bucket';
  if (error.name === 'TimeoutError') return 'timed_out';
  if (error.name === 'CredentialsProviderError') return 'denied';
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return status === 401 || status === 403 ? 'denied' : 'unavailable';
}
