import type { TenantId } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { until } from '@plinth/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeyFetcher, KeysUnavailable } from '../src/auth/identity-providers/fetch-keys.js';
import { IdentityPeer, type KeyAnswer } from './identity-peer.js';
import { outboundTo } from './outbound-fixture.js';

/** Fetching keys from a real server that is as it should not be. */
const acme = 'ten_acme' as TenantId;
const never = new AbortController().signal;
let idp: IdentityPeer;
beforeEach(async () => {
  idp = await IdentityPeer.start();
});
afterEach(() => idp.close());

const fetcher = new KeyFetcher(outboundTo(['127.0.0.1']));
const fetchKeys = (jwksUrl?: string) =>
  fetcher.fetch(acme, { issuer: idp.issuer, ...(jwksUrl === undefined ? {} : { jwksUrl }) }, never);

async function failureOf(attempt: Promise<unknown>): Promise<KeysUnavailable> {
  const error = await attempt.then(
    () => new Error('expected a failure'),
    (caught: unknown) => caught,
  );
  if (error instanceof KeysUnavailable) return error;
  throw error;
}

test('without an address the OpenID configuration of the issuer says where the keys are', async () => {
  expect((await fetchKeys()).names).toEqual([{ kid: 'key-1', kty: 'EC', alg: 'ES256' }]);
  expect(idp.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
});

test('with an address nothing else is asked', async () => {
  await fetchKeys(idp.jwksUrl);
  expect(idp.asked).toEqual(['/keys']);
});

test.each([
  { issuer: 'https://elsewhere.example' },
  { jwks_uri: 'http://elsewhere.example/keys' },
  { jwks_uri: 'file:///etc/passwd' },
])('an OpenID configuration that cannot be believed is not: %j', async (configuration) => {
  idp.configuration = configuration;
  expect((await failureOf(fetchKeys())).reason).toBe('bad_document');
  expect(idp.keyRequests).toBe(0);
});

test.each<[KeyAnswer, string]>([
  ['status_500', 'bad_status'],
  ['redirect', 'bad_redirect'],
  ['huge', 'too_large'],
  ['not_json', 'bad_document'],
  ['no_keys', 'bad_document'],
])('an answer that is %s is a failure by name', async (answer, reason) => {
  idp.answer = answer;
  expect((await failureOf(fetchKeys(idp.jwksUrl))).reason).toBe(reason);
  expect(idp.asked).not.toContain('/elsewhere');
});

test('a provider that says nothing is given up after five seconds', async () => {
  idp.answer = 'silent';
  const clock = new ManualClock();
  const patient = new KeyFetcher(outboundTo(['127.0.0.1'], { clock }));
  const failing = failureOf(patient.fetch(acme, { issuer: idp.issuer, jwksUrl: idp.jwksUrl }, never));
  await until('the request', () => idp.keyRequests > 0);
  clock.advance(5_000);
  expect((await failing).reason).toBe('timed_out');
});

test('the end of the process ends a request that is under way', async () => {
  idp.answer = 'silent';
  const closing = new AbortController();
  const fetching = fetcher.fetch(acme, { issuer: idp.issuer, jwksUrl: idp.jwksUrl }, closing.signal);
  await until('the request', () => idp.keyRequests > 0);
  closing.abort(new Error('the server stops'));
  await expect(fetching).rejects.toThrow('the server stops');
});

test('private and symmetric keys of a document are no keys', async () => {
  const { published } = idp;
  idp.published = [
    { kty: 'oct', k: 'c2VjcmV0', kid: 'a' },
    { ...published[0], d: 'AQAB', kid: 'b' },
    ...published,
  ];
  expect((await fetchKeys(idp.jwksUrl)).names.map(({ kid }) => kid)).toEqual(['key-1']);
});
