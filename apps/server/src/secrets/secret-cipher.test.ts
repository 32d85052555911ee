import type { TenantId } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DerivedKeys } from '../auth/derived-keys.js';
import { SecretCipher } from './secret-cipher.js';

const acme = 'ten_acme' as TenantId;
const bolt = 'ten_bolt' as TenantId;
const present = new DerivedKeys('kV3n8Qz1rT6yWb0mXc5uLd9pHs2fGj7e');
const before = new DerivedKeys('e7jG2fsHp9dLu5cXm0bWy6Tr1zQ8n3Vk');
const cipher = new SecretCipher(present);

describe('a sealed secret', () => {
  test('opens to what it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(cipher.open(acme, 'A', cipher.seal(acme, 'A', value))).toBe(value);
      }),
    );
  });

  test('is another one each time, and does not hold the value', () => {
    const sealed = [cipher.seal(acme, 'A', 'sesame'), cipher.seal(acme, 'A', 'sesame')];
    expect(
      Buffer.compare(sealed[0]?.ciphertext ?? new Uint8Array(), sealed[1]?.ciphertext ?? new Uint8Array()),
    ).not.toBe(0);
    expect(Buffer.from(sealed[0]?.ciphertext ?? []).includes('sesame')).toBe(false);
  });

  test('does not open for another tenant or under another name', () => {
    const sealed = cipher.seal(acme, 'A', 'sesame');
    expect(cipher.open(bolt, 'A', sealed)).toBeNull();
    expect(cipher.open(acme, 'B', sealed)).toBeNull();
  });

  test('does not open when a bit of it was changed', () => {
    const sealed = cipher.seal(acme, 'A', 'sesame');
    sealed.ciphertext.forEach((byte, index) => {
      const changed = Uint8Array.from(sealed.ciphertext);
      changed[index] = byte ^ 1;
      expect(cipher.open(acme, 'A', { ...sealed, ciphertext: changed })).toBeNull();
    });
  });

  test('of a replaced master secret opens as long as that one is known, and is told to be outdated', () => {
    const old = new SecretCipher(before).seal(acme, 'A', 'sesame');
    expect(cipher.open(acme, 'A', old)).toBeNull();
    const rotating = new SecretCipher(present, [before]);
    expect(rotating.open(acme, 'A', old)).toBe('sesame');
    expect(rotating.isOutdated(old)).toBe(true);
    expect(rotating.isOutdated(rotating.seal(acme, 'A', 'sesame'))).toBe(false);
  });

  test('names its key without telling it', () => {
    const { keyId } = cipher.seal(acme, 'A', 'x');
    expect(keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(Buffer.from(present.key(acme, 'tenant-secret')).toString('hex')).not.toContain(keyId);
  });
});
