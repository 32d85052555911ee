import { randomBytes } from 'node:crypto';
import type { TenantId } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { DerivedKeys, secretProblem } from './derived-keys.js';

const acme = 'ten_acme' as TenantId;
const bolt = 'ten_bolt' as TenantId;
const secret = 'kV3n8Qz1rT6yWb0mXc5uLd9pHs2fGj7e';
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');

describe('derived keys', () => {
  test('the same secret, tenant and purpose give the same key in every process', () => {
    expect(hex(new DerivedKeys(secret).key(acme, 'session'))).toBe(
      hex(new DerivedKeys(secret).key(acme, 'session')),
    );
  });

  test('another tenant, purpose or secret gives another key', () => {
    const keys = new DerivedKeys(secret);
    const other = new DerivedKeys([...secret].reverse().join(''));
    const all = [
      keys.key(acme, 'session'),
      keys.key(bolt, 'session'),
      keys.key(acme, 'callback'),
      keys.key(acme, 'artifact-url'),
      other.key(acme, 'session'),
    ];
    expect(new Set(all.map(hex)).size).toBe(all.length);
  });

  test('a short secret is refused, with the way to make a good one', () => {
    expect(() => new DerivedKeys('x'.repeat(31))).toThrow(/31 bytes; it needs at least 32.*openssl rand/);
  });

  test.each([
    'a'.repeat(40),
    'abcabcabcabcabcabcabcabcabcabcabcabc',
    '0123456789abcdef0123456789abcdef',
    'changeme-changeme-changeme-changeme',
    'please-CHANGE_ME-before-you-go-live-1',
    'correct-horse-password-battery-staple',
    'this-is-only-an-Example-of-a-key-42!',
  ])('the well-known example %j is refused', (example) => {
    expect(() => new DerivedKeys(example)).toThrow(/looks like an example/);
  });

  test('random secrets in the usual encodings are taken', () => {
    for (let i = 0; i < 50; i += 1) {
      expect(secretProblem(randomBytes(32).toString('base64'))).toBeNull();
      expect(secretProblem(randomBytes(32).toString('base64url'))).toBeNull();
    }
    expect(secretProblem(randomBytes(32).toString('hex'))).toBeNull();
  });
});
