import { hkdfSync } from 'node:crypto';
import type { TenantId } from '@plinth/protocol';

/** What a derived key is for. A signature made for one purpose is worth nothing for another. */
export type KeyPurpose = 'session' | 'callback' | 'artifact-url' | 'image-url' | 'tenant-secret';

export const MIN_SECRET_BYTES = 32;
const KEY_BYTES = 32;
/** Fewer different characters than this is a pattern, not a secret. */
const MIN_DISTINCT_CHARACTERS = 10;
/** Pieces of the secrets that stand in examples, templates and documentation. */
const EXAMPLES = [
  'changeme',
  'change-me',
  'change_me',
  'example',
  'password',
  'your-secret',
  'your_secret',
  'replace',
  '0123456789',
  'abcdefghij',
];

/** Says what is wrong with a master secret and what to do, or null when it will do. */
export function secretProblem(secret: string): string | null {
  const remedy = 'Make one with: openssl rand -base64 32';
  const bytes = Buffer.byteLength(secret);
  if (bytes < MIN_SECRET_BYTES) {
    return `PLINTH_SECRET has ${bytes} bytes; it needs at least ${MIN_SECRET_BYTES}. ${remedy}`;
  }
  const lower = secret.toLowerCase();
  if (new Set(lower).size < MIN_DISTINCT_CHARACTERS || EXAMPLES.some((example) => lower.includes(example))) {
    return `PLINTH_SECRET looks like an example that others know too. ${remedy}`;
  }
  return null;
}

/**
 * The keys that sign and encrypt, all derived (HKDF-SHA256) from one master secret: one for each tenant and purpose, so
 * that what one tenant's key signed can never pass for another tenant's. Nothing of it is stored.
 */
export class DerivedKeys {
  /** @throws Error when the secret is too short or a well-known example. */
  constructor(private readonly secret: string) {
    const problem = secretProblem(secret);
    if (problem !== null) throw new Error(problem);
  }

  /** Names the master secret without telling anything about it: 16 hexadecimal digits. */
  get keyId(): string {
    return Buffer.from(hkdfSync('sha256', this.secret, 'plinth/v1', 'key-id', 8)).toString('hex');
  }

  key(tenant: TenantId, purpose: KeyPurpose): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.secret, 'plinth/v1', `${purpose}\n${tenant}`, KEY_BYTES));
  }
}
