import { OauthServer, type OddMcpHttp, startOddMcpHttp } from '@plinth/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Mcp, openMcp, textOf } from './mcp-fixture.js';

let mcp: Mcp;
let oauth: OauthServer;
let odd: OddMcpHttp;
beforeEach(async () => {
  mcp = await openMcp();
  oauth = new OauthServer({ clientId: 'plinth', clientSecret: 'the-secret-token' });
  odd = await startOddMcpHttp('odd', [], oauth);
});
afterEach(async () => {
  await mcp.close();
  await odd.close();
});

const register = (issuer = `${odd.origin}/`, clientId = 'plinth') =>
  mcp.register('odd', {
    kind: 'streamable_http',
    url: odd.url,
    auth: {
      kind: 'oauth_client_credentials',
      clientId,
      clientSecret: '{{secrets.TOKEN}}',
      issuer,
      scope: 'tools:call',
    },
  });
const echo = (text: string) => mcp.call('odd', 'echo', { text });

test('a token is fetched with the client credentials, used, and fetched again when it is worth nothing any more', async () => {
  register();
  expect(textOf(await echo('one'))).toBe('odd says one');
  expect(textOf(await echo('two'))).toBe('odd says two');
  expect(oauth.asked).toHaveLength(1);
  expect(new URLSearchParams(oauth.asked[0]).get('grant_type')).toBe('client_credentials');
  expect(new URLSearchParams(oauth.asked[0]).get('scope')).toBe('tools:call');
  oauth.revoke();
  expect(textOf(await echo('three'))).toBe('odd says three');
  expect(oauth.asked).toHaveLength(2);
});

test('credentials that are refused make the server unavailable, without the secret in the words', async () => {
  register(undefined, 'somebody-else');
  const outcome = await echo('x');
  expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'unavailable' } });
  expect(JSON.stringify(outcome)).not.toContain('the-secret-token');
});

test('the secret goes to no authorization server but the one that was named', async () => {
  register('https://login.example/');
  expect(await echo('x')).toMatchObject({ kind: 'failed', error: { code: 'unavailable' } });
  expect(oauth.asked).toEqual([]);
});
