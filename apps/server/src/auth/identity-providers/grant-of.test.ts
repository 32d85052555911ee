import { identityProviderDefinition } from '@plinth/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CheckedDefinition, checkIdentityProvider } from './check-identity-provider.js';
import { grantOf } from './grant-of.js';

function definitionOf(changes: object = {}, key = 'login'): CheckedDefinition {
  const checked = checkIdentityProvider(key, {
    issuer: 'https://idp.example',
    audience: 'plinth',
    ...changes,
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.fields));
  return checked.definition;
}

test('a plain definition lets the subject run any agent, named by the provider, and see no requests', () => {
  expect(grantOf(definitionOf(), { sub: 'ada' })).toEqual({
    ok: true,
    grant: { endUserId: 'login:ada', agents: undefined, debug: false },
  });
});

test('an empty prefix is kept: the back end of the tenant names the same people', () => {
  const definition = definitionOf({ endUser: { claim: 'uid', prefix: '' } });
  expect(grantOf(definition, { uid: 'user-42' })).toMatchObject({ grant: { endUserId: 'user-42' } });
});

test('agents are fixed, or those that a claim names; none is none', () => {
  const agentsOf = (agents: unknown, claims: object) => {
    const granting = grantOf(definitionOf({ agents }), { sub: 'ada', ...claims });
    return granting.ok ? granting.grant.agents : granting.reason;
  };
  expect(agentsOf(['painter'], {})).toEqual(['painter']);
  expect(agentsOf({ claim: 'agents' }, { agents: ['painter', 'writer'] })).toEqual(['painter', 'writer']);
  expect(agentsOf({ claim: 'agents' }, { agents: 'painter' })).toEqual(['painter']);
  expect(agentsOf({ claim: 'agents' }, {})).toEqual([]);
});

test('debug is given always, never, or to whose token says so', () => {
  const debugOf = (debug: unknown, claims: object) => {
    const granting = grantOf(definitionOf({ scopes: { debug } }), { sub: 'ada', ...claims });
    return granting.ok && granting.grant.debug;
  };
  const byRole = { claim: 'roles', value: 'debug' };
  expect(debugOf(true, {})).toBe(true);
  expect(debugOf(byRole, { roles: ['debug'] })).toBe(true);
  expect(debugOf(byRole, { roles: ['other'] })).toBe(false);
  expect(debugOf(false, { roles: ['debug'], scope: 'debug admin' })).toBe(false);
});

test('who lacks the scope of running is let in to nothing, and a token of another kind neither', () => {
  const scopes = { runs: { claim: 'scope', value: 'plinth' } };
  expect(grantOf(definitionOf({ scopes }), { sub: 'ada', scope: 'openid' })).toEqual({
    ok: false,
    reason: 'not_granted',
  });
  const requiredClaims = [{ claim: 'token_use', value: 'access' }];
  expect(grantOf(definitionOf({ requiredClaims }), { sub: 'ada', token_use: 'id' })).toEqual({
    ok: false,
    reason: 'claim_not_met',
  });
});

test.each([undefined, '', 7, ['ada'], 'a\nb', 'a\0', 'x'.repeat(201), '\ud800'])(
  'the subject %j names nobody',
  (sub) => {
    expect(grantOf(definitionOf(), { sub })).toEqual({ ok: false, reason: 'no_end_user' });
  },
);

test('whatever the claims: an id is bounded and printable, two people stay two, and no scope but debug is given', () => {
  const definition = definitionOf({ scopes: { debug: { claim: 'scope', value: 'debug' } } });
  const subject = fc.string({ unit: 'binary', maxLength: 250 });
  fc.assert(
    fc.property(subject, subject, fc.dictionary(fc.string(), fc.jsonValue()), (one, other, rest) => {
      const first = grantOf(definition, { ...rest, sub: one });
      const second = grantOf(definition, { ...rest, sub: other });
      if (!first.ok || !second.ok) return;
      expect(Object.keys(first.grant).sort()).toEqual(['agents', 'debug', 'endUserId']);
      expect(first.grant.endUserId).toMatch(/^login:\P{Cc}{0,200}$/u);
      expect(first.grant.endUserId.length).toBeLessThanOrEqual(400);
      expect(first.grant.endUserId === second.grant.endUserId).toBe(one === other);
      expect(Buffer.from(first.grant.endUserId).toString()).toBe(first.grant.endUserId);
    }),
  );
});

test('what is stored of a definition says the same when it is read again', () => {
  const definition = definitionOf({ requiredClaims: [{ claim: ['a', 'b'], value: true }] });
  expect(identityProviderDefinition.parse(JSON.parse(JSON.stringify(definition)))).toEqual(definition);
});
