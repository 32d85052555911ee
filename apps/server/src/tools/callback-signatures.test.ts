import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSignedBy } from './callback-signatures.js';

const sign = (secret: string, body: Uint8Array) => createHmac('sha256', secret).update(body).digest('hex');

it('a body is signed by its own secret only, in either way of writing', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.uint8Array(), fc.uint8Array(), (secret, body, other) => {
      const signature = sign(secret, body);
      expect(isSignedBy(secret, body, signature)).toBe(true);
      expect(isSignedBy(secret, body, `sha256=${signature.toUpperCase()}`)).toBe(true);
      expect(isSignedBy(`${secret}x`, body, signature)).toBe(false);
      fc.pre(Buffer.compare(body, other) !== 0);
      expect(isSignedBy(secret, other, signature)).toBe(false);
    }),
  );
});

// RFC 4231, test case 2.
it('is HMAC-SHA256 as the standard computes it', () => {
  const body = Buffer.from('what do ya want for nothing?');
  const signature = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  expect(isSignedBy('Jefe', body, signature)).toBe(true);
});

it.each(['', 'abc', 'sha1=abc', '0'.repeat(63), `${'0'.repeat(64)}0`])('"%s" is no signature', (text) => {
  expect(isSignedBy('secret', Buffer.from('body'), text)).toBe(false);
});
