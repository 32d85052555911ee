import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { TenantId } from '@plinth/protocol';
import type { DerivedKeys } from '../auth/derived-keys.js';

/** An encrypted value as its row keeps it. */
export interface SealedSecret {
  /** The tag of AES-GCM at its end. */
  ciphertext: Uint8Array;
  nonce: Uint8Array;
  keyId: string;
}

const ALGORITHM = 'aes-256-gcm';
/** NIST SP 800-38D: a random nonce of 96 bits; one key may seal 2^32 values with it. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals the secrets of tenants with keys that are derived from the master secret, one for each tenant. What is
 * sealed is bound to tenant, name and key: a row that is copied to another place does not open there.
 */
export class SecretCipher {
  readonly #current: DerivedKeys;
  readonly #byId: ReadonlyMap<string, DerivedKeys>;

  /** @param previous of a master secret that was replaced: still opens what it sealed */
  constructor(current: DerivedKeys, previous: readonly DerivedKeys[] = []) {
    this.#current = current;
    this.#byId = new Map([...previous, current].map((keys) => [keys.keyId, keys]));
  }

  /** True when a value was sealed under a master secret that has been replaced. */
  isOutdated({ keyId }: Pick<SealedSecret, 'keyId'>): boolean {
    return keyId !== this.#current.keyId;
  }

  seal(tenant: TenantId, name: string, value: string): SealedSecret {
    const { keyId } = this.#current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#current.key(tenant, 'tenant-secret'), nonce);
    cipher.setAAD(boundTo(tenant, name, keyId));
    const ciphertext = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { ciphertext, nonce, keyId };
  }

  /** Null when no master secret of ours has sealed it like this: of another installation, or tampered with. */
  open(tenant: TenantId, name: string, { ciphertext, nonce, keyId }: SealedSecret): string | null {
    const keys = this.#byId.get(keyId);
    if (keys === undefined || ciphertext.length < TAG_BYTES) return null;
    const end = ciphertext.length - TAG_BYTES;
    try {
      const decipher = createDecipheriv(ALGORITHM, keys.key(tenant, 'tenant-secret'), nonce, {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(boundTo(tenant, name, keyId));
      decipher.setAuthTag(ciphertext.subarray(end));
      return Buffer.concat([decipher.update(ciphertext.subarray(0, end)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}

const boundTo = (tenant: TenantId, name: string, keyId: string) =>
  Buffer.from(JSON.stringify([tenant, name, keyId]));
