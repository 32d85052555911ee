import { type ArtifactId, PlinthError, type TenantId } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { describe, expect, test } from 'vitest';
import { DerivedKeys } from '../auth/derived-keys.js';
import { type ContentQuery, ContentUrls } from './content-url.js';

const acme = 'ten_acme' as TenantId;
const poster = { id: 'art_1' as ArtifactId, version: 1 };

function setUp() {
  const clock = new ManualClock();
  return { clock, urls: new ContentUrls(new DerivedKeys('kV3n8Qz1rT6yWb0mXc5uLd9pHs2fGj7e'), clock) };
}
const queryOf = (path: string): ContentQuery => Object.fromEntries(new URL(path, 'http://x').searchParams);

function codeOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (PlinthError.isInstance(error)) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('signed content URLs', () => {
  test('a URL opens the artifact it was made for', () => {
    const { urls } = setUp();
    const { path } = urls.sign(acme, poster);
    expect(path).toMatch(/^\/v1\/artifacts\/art_1\/content\?/);
    expect(urls.verify(poster.id, queryOf(path))).toEqual({
      tenant: acme,
      artifactId: poster.id,
      version: 1,
    });
  });

  test('the same URL comes back within five minutes, and another one after', () => {
    const { clock, urls } = setUp();
    const { path } = urls.sign(acme, poster);
    clock.advance(299_999);
    expect(urls.sign(acme, poster).path).toBe(path);
    clock.advance(1);
    expect(urls.sign(acme, poster).path).not.toBe(path);
  });

  test('a URL lives for fifteen minutes at least, whenever it was made', () => {
    const { clock, urls } = setUp();
    clock.advance(299_999);
    const { path, expiresAt } = urls.sign(acme, poster);
    expect(expiresAt - clock.now()).toBeGreaterThanOrEqual(900_000);
    clock.advance(900_000);
    expect(codeOf(() => urls.verify(poster.id, queryOf(path)))).toBe('accepted');
    clock.advance(1);
    expect(codeOf(() => urls.verify(poster.id, queryOf(path)))).toBe('token_expired');
  });

  test.each<[string, ContentQuery]>([
    ['tenant', { tenant: 'ten_bolt' }],
    ['version', { version: '2' }],
    ['expiry', { expires: '99999999999' }],
    ['signature', { signature: 'AAAA' }],
    ['signature of other characters', { signature: 'é'.repeat(43) }],
    ['tenant that is far too long', { tenant: 'x'.repeat(5000) }],
    ['missing signature', { signature: undefined }],
  ])('a changed %s is refused', (_name, change) => {
    const { urls } = setUp();
    const query = queryOf(urls.sign(acme, poster).path);
    expect(codeOf(() => urls.verify(poster.id, { ...query, ...change }))).toBe('forbidden');
  });

  test('the signature of one artifact does not open another', () => {
    const { urls } = setUp();
    const query = queryOf(urls.sign(acme, poster).path);
    expect(codeOf(() => urls.verify('art_2' as ArtifactId, query))).toBe('forbidden');
  });
});
