import type { ImageVariant } from '@plinth/engine';
import { PlinthError, type TenantId } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { DerivedKeys } from '../auth/derived-keys.js';
import { VariantUrls } from './variant-urls.js';

const SECRET = 'k7Jp2vQx9ZrT4mWb8NcY6sLf3HdGa5Ue1RiOoPtXzVw';
const acme = 'ten_acme' as TenantId;
const CONTENT = 'c'.repeat(64);
const MINUTE_MS = 60_000;

const variantOf = (sha256: string): ImageVariant => ({
  sha256,
  step: 0,
  mimeType: 'image/webp',
  width: 1,
  height: 1,
  sizeBytes: 1,
  storageKey: `ten_acme/cc/${CONTENT}`,
});
const picture = variantOf('a'.repeat(64));

let clock: ManualClock;
const urlsOf = (secret = SECRET) => new VariantUrls(new DerivedKeys(secret), clock, 'https://plinth.test');
beforeEach(() => {
  clock = new ManualClock();
});

/** What a URL opens, as its request arrives. */
function open(url: string, change: Record<string, string> = {}) {
  const { pathname, searchParams } = new URL(url);
  const [, , , sha256 = '', name = ''] = pathname.split('/');
  const query = { ...Object.fromEntries(searchParams), ...change };
  return urlsOf().verify(change.sha256 ?? sha256, change.name ?? name, query);
}

function codeOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (PlinthError.isInstance(error)) return error.code;
    throw error;
  }
  return 'opened';
}

describe('the URL of a variant', () => {
  test('names the picture, the hash of its bytes and its type, and opens it', () => {
    const url = urlsOf().sign(acme, picture);
    expect(new URL(url).pathname).toBe(`/v1/images/${picture.sha256}/${CONTENT}.webp`);
    expect(open(url)).toEqual({ tenant: acme, contentHash: CONTENT });
  });

  test('is the same text in every process and at every moment of its life', () => {
    const url = urlsOf().sign(acme, picture);
    const end = Number(new URL(url).searchParams.get('expires')) * 1000;
    const renewedAt = end - 15 * MINUTE_MS;
    while (clock.now() + MINUTE_MS < renewedAt) {
      clock.advance(MINUTE_MS);
      expect(urlsOf().sign(acme, picture)).toBe(url);
    }
    clock.advance(renewedAt - clock.now());
    expect(urlsOf().sign(acme, picture)).not.toBe(url);
  });

  test('of a moment that has passed is the text that was given out then', () => {
    const then = clock.now();
    const url = urlsOf().sign(acme, picture);
    clock.advance(48 * 60 * MINUTE_MS);
    expect(urlsOf().sign(acme, picture, then)).toBe(url);
    expect(urlsOf().sign(acme, picture)).not.toBe(url);
  });

  test('is good for fifteen minutes more when it is given out, and for six hours and a quarter at most', () => {
    const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(hash, fc.integer({ min: 0, max: 4_000_000_000_000 }), (sha256, nowMs) => {
        const urls = new VariantUrls(
          new DerivedKeys(SECRET),
          { ...clock, now: () => nowMs, wait: async () => {} },
          '',
        );
        const url = new URL(urls.sign(acme, variantOf(sha256)), 'https://plinth.test');
        const leftSeconds = Number(url.searchParams.get('expires')) - nowMs / 1000;
        expect(leftSeconds).toBeGreaterThanOrEqual(15 * 60);
        expect(leftSeconds).toBeLessThanOrEqual(6.25 * 3600 + 1);
      }),
    );
  });

  test('of one picture ends at another time than that of the next', () => {
    const ends = ['a', 'b', 'c', 'd'].map((digit) =>
      new URL(urlsOf().sign(acme, variantOf(digit.repeat(64)))).searchParams.get('expires'),
    );
    expect(new Set(ends).size).toBe(4);
  });

  test('is refused when anything of it was changed, or when another secret signed it', () => {
    const url = urlsOf().sign(acme, picture);
    const changes: Record<string, string>[] = [
      { tenant: 'ten_bolt' },
      { expires: '9999999999' },
      { signature: 'x' },
      { signature: '' },
      { sha256: 'b'.repeat(64) },
      { name: `${'d'.repeat(64)}.webp` },
      { name: `${CONTENT}.png` },
      { name: '..%2f..%2fsecrets' },
    ];
    for (const change of changes)
      expect(
        codeOf(() => open(url, change)),
        JSON.stringify(change),
      ).toBe('forbidden');
    const foreign = urlsOf('Zq8Lw3Xv7Nf2Rk6Tb1Hc9Yd4Mg5Js0PaEuIoVtCxBnW').sign(acme, picture);
    expect(codeOf(() => open(foreign))).toBe('forbidden');
  });

  test('is told apart from one that was forged when its time has passed', () => {
    const url = urlsOf().sign(acme, picture);
    clock.advance(7 * 60 * MINUTE_MS);
    expect(codeOf(() => open(url))).toBe('token_expired');
  });
});
