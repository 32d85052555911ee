import type { InterruptId, TenantId } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { DerivedKeys } from '../auth/derived-keys.js';
import { hashCallbackToken, looksLikeCallbackToken, SignedCallbackTokens } from './callback-token.js';

const acme = 'ten_acme' as TenantId;
const bolt = 'ten_bolt' as TenantId;
const first = 'int_1' as InterruptId;
const second = 'int_2' as InterruptId;
const make = (secret = 'kV3n8Qz1rT6yWb0mXc5uLd9pHs2fGj7e') =>
  new SignedCallbackTokens(new DerivedKeys(secret), 'https://plinth.test');

describe('callback tokens', () => {
  test('a job that is dispatched again, by another process, gets the same URL', () => {
    expect(make().issue(acme, first)).toEqual(make().issue(acme, first));
  });

  test('the URLs carry the token, and the row gets its hash only', () => {
    const { token, tokenHash, url, progressUrl } = make().issue(acme, first);
    expect(looksLikeCallbackToken(token)).toBe(true);
    expect(url).toBe(`https://plinth.test/v1/callbacks/${token}`);
    expect(progressUrl).toBe(`${url}/progress`);
    expect(tokenHash).toBe(hashCallbackToken(token));
    expect(tokenHash).not.toContain(token.slice(4));
  });

  test('another interrupt, tenant or secret gives another token', () => {
    const all = [
      make().issue(acme, first),
      make().issue(acme, second),
      make().issue(bolt, first),
      make('e7jG2fsHp9dLu5cXm0bWy6Tr1zQ8n3Vk').issue(acme, first),
    ];
    expect(new Set(all.map(({ token }) => token)).size).toBe(all.length);
  });

  test.each(['', 'cbt_', 'cbt_short', `cbt_${'a'.repeat(44)}`, `CBT_${'a'.repeat(43)}`])(
    '%j is no token',
    (text) => {
      expect(looksLikeCallbackToken(text)).toBe(false);
    },
  );
});
