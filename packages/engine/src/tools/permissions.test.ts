import type { PermissionEffect, PermissionRule } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesPattern, permissionOf } from './permissions.js';

const ADA = { agent: 'poster', endUser: 'ada' };
const decide = (tenant: PermissionRule[], agent: PermissionRule[] = [], caller = ADA) =>
  permissionOf('send_mail', caller, { tenant, agent, revision: 7 });
const effect = (...rules: PermissionRule[]) => decide(rules).effect;

describe('who may call what', () => {
  it('without a rule that fits, everybody may call everything', () => {
    expect(decide([{ tool: 'other', effect: 'deny' }])).toEqual({ effect: 'allow', revision: 7, rule: null });
  });

  it('the rule that decided is named with the revision that it stands in', () => {
    const rules: PermissionRule[] = [
      { tool: 'x', effect: 'deny' },
      { tool: 'send_*', effect: 'ask' },
    ];
    expect(decide(rules)).toEqual({ effect: 'ask', revision: 7, rule: 'tools.permissions.1' });
    expect(decide([], rules).rule).toBe('permissions.1');
  });

  const all: PermissionRule = { tool: '*', effect: 'deny' };
  it.each<[string, PermissionEffect, PermissionRule[]]>([
    ['a rule about the tool beats one about all', 'allow', [all, { tool: 'send_mail', effect: 'allow' }]],
    [
      'a longer pattern beats a shorter one',
      'ask',
      [
        { tool: 's*', effect: 'deny' },
        { tool: 'send_*', effect: 'ask' },
      ],
    ],
    [
      'a key beats a pattern of the same length',
      'allow',
      [
        { tool: 'send_mail*', effect: 'deny' },
        { tool: 'send_mail', effect: 'allow' },
      ],
    ],
    [
      'a rule about the agent beats one about the tool',
      'allow',
      [
        { tool: 'send_mail', effect: 'deny' },
        { tool: '*', agent: 'poster', effect: 'allow' },
      ],
    ],
    [
      'a rule about the end user beats one about the agent',
      'ask',
      [
        { tool: 'send_mail', agent: 'poster', effect: 'deny' },
        { tool: '*', endUser: 'ada', effect: 'ask' },
      ],
    ],
    [
      'one about both beats one about the end user',
      'allow',
      [
        { tool: 'send_mail', endUser: 'ada', effect: 'deny' },
        { tool: '*', agent: 'poster', endUser: 'ada', effect: 'allow' },
      ],
    ],
    [
      'at equal rank deny beats ask',
      'deny',
      [
        { tool: '*mail', effect: 'ask' },
        { tool: 'send*', effect: 'deny' },
      ],
    ],
    [
      'at equal rank ask beats allow',
      'ask',
      [
        { tool: 'send_mail', effect: 'allow' },
        { tool: 'send_mail', effect: 'ask' },
      ],
    ],
    ['a rule about another end user means nothing', 'allow', [{ tool: '*', endUser: 'eve', effect: 'deny' }]],
    ['a rule about another agent means nothing', 'allow', [{ tool: '*', agent: 'other', effect: 'deny' }]],
  ])('%s', (_name, expected, rules) => {
    expect(effect(...rules)).toBe(expected);
    expect(effect(...rules.toReversed())).toBe(expected);
  });

  it("an agent's own rules are about that agent: they meet the tenant's about it at equal rank", () => {
    const mine: PermissionRule = { tool: 'send_mail', effect: 'allow' };
    expect(decide([{ tool: 'send_mail', effect: 'deny' }], [mine]).effect).toBe('allow');
    expect(decide([{ tool: 'send_mail', agent: 'poster', effect: 'deny' }], [mine]).effect).toBe('deny');
  });
});

const rule: fc.Arbitrary<PermissionRule> = fc
  .record({
    tool: fc.constantFrom('*', 's*', 'send_*', '*_mail', '*a*', 'send_mail', 'other'),
    agent: fc.option(fc.constantFrom('poster', 'other'), { nil: undefined }),
    endUser: fc.option(fc.constantFrom('ada', 'eve'), { nil: undefined }),
    effect: fc.constantFrom<PermissionEffect>('allow', 'ask', 'deny'),
  })
  .map(({ agent, endUser, ...rest }) => ({
    ...rest,
    ...(agent === undefined ? {} : { agent }),
    ...(endUser === undefined ? {} : { endUser }),
  }));
const rules = fc.array(rule, { maxLength: 8 });

/** The order again, as its three sentences say it. */
function beats(a: PermissionRule, b: PermissionRule): boolean {
  const names = ({ agent, endUser }: PermissionRule) =>
    endUser !== undefined ? (agent !== undefined ? 3 : 2) : agent !== undefined ? 1 : 0;
  if (names(a) !== names(b)) return names(a) > names(b);
  const precision = ({ tool }: PermissionRule) =>
    tool.includes('*') ? tool.replaceAll('*', '').length : 1000;
  if (precision(a) !== precision(b)) return precision(a) > precision(b);
  return ['allow', 'ask', 'deny'].indexOf(a.effect) > ['allow', 'ask', 'deny'].indexOf(b.effect);
}

describe('whatever the rules are', () => {
  it('the order in which they are written means nothing', () => {
    fc.assert(
      fc.property(rules, rules, fc.nat(), (tenant, agent, turn) => {
        const at = tenant.length === 0 ? 0 : turn % tenant.length;
        const turned = [...tenant.slice(at), ...tenant.slice(0, at)];
        expect(decide(turned, agent.toReversed()).effect).toBe(decide(tenant, agent).effect);
      }),
    );
  });

  it('no rule that fits beats the one that decides', () => {
    fc.assert(
      fc.property(rules, (tenant) => {
        const decided = decide(tenant);
        const winner = tenant[Number(decided.rule?.split('.').at(-1))];
        const fitting = tenant.filter((one) => decide([one]).rule !== null);
        expect(decided.rule === null).toBe(fitting.length === 0);
        if (winner) expect(fitting.filter((one) => beats(one, winner))).toEqual([]);
      }),
    );
  });

  it('a rule about others changes nothing', () => {
    fc.assert(
      fc.property(rules, rule, (tenant, extra) => {
        expect(decide([...tenant, { ...extra, endUser: 'somebody else' }])).toEqual(decide(tenant));
      }),
    );
  });

  it('one more deny never allows more', () => {
    const strictness = (one: PermissionEffect) => ['allow', 'ask', 'deny'].indexOf(one);
    fc.assert(
      fc.property(rules, rule, (tenant, extra) => {
        const before = strictness(effect(...tenant));
        expect(strictness(effect(...tenant, { ...extra, effect: 'deny' }))).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});

it('a pattern fits what a regular expression of the same meaning fits', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 6 });
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
  fc.assert(
    fc.property(patterns, letters, (pattern, key) => {
      expect(matchesPattern(pattern, key)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(key));
    }),
  );
});
