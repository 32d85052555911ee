import type { TenantId } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeysUnavailable } from './fetch-keys.js';
import type { KeySet } from './key-set.js';
import { COOL_DOWN_MS, FRESH_MS, type KeyUser, ProviderKeys, USABLE_MS } from './provider-keys.js';

const user = {
  tenantId: 'ten_acme' as TenantId,
  provider: { key: 'login', definition: { issuer: 'https://idp.example' } },
} as KeyUser;
const aSet = (): KeySet => ({ names: [], keyFor: () => Promise.reject(new Error('not asked for here')) });

/** A provider that is away, answers, or takes its time, as the test says. */
function setUp() {
  const clock = new ManualClock();
  const world = { isAway: false, fetches: [] as number[], held: null as Promise<void> | null };
  const keys = new ProviderKeys(
    {
      async fetch() {
        world.fetches.push(clock.now());
        await world.held;
        if (world.isAway) throw new KeysUnavailable('unreachable', 'could not be reached');
        return aSet();
      },
    },
    clock,
  );
  return { clock, keys, world };
}

const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'keys',
    (error: unknown) => (error instanceof KeysUnavailable ? error.reason : error),
  );

describe('the keys of a provider', () => {
  test('are fetched once for any number of callers, and then used without a look', async () => {
    const { clock, keys, world } = setUp();
    const [first, ...more] = await Promise.all(Array.from({ length: 20 }, () => keys.current(user)));
    for (const set of more) expect(set).toBe(first);
    clock.advance(FRESH_MS - 1);
    expect(await keys.current(user)).toBe(first);
    expect(world.fetches).toHaveLength(1);
    clock.advance(1);
    expect(await keys.current(user)).not.toBe(first);
    expect(world.fetches).toHaveLength(2);
  });

  test('of another tenant are fetched apart, even of the same provider', async () => {
    const { keys, world } = setUp();
    const other = { ...user, tenantId: 'ten_bolt' as TenantId };
    expect(await keys.current(user)).not.toBe(await keys.current(other));
    expect(world.fetches).toHaveLength(2);
  });

  test('are looked for anew when one is unknown, once for all who ask, and not again within the cool-down', async () => {
    const { clock, keys, world } = setUp();
    const first = await keys.current(user);
    expect(await keys.after(user, first)).toBe(first);
    clock.advance(COOL_DOWN_MS);
    const [second, ...more] = await Promise.all(Array.from({ length: 20 }, () => keys.after(user, first)));
    expect(second).not.toBe(first);
    for (const set of more) expect(set).toBe(second);
    expect(world.fetches).toHaveLength(2);
    expect(await keys.after(user, second as KeySet)).toBe(second);
    expect(world.fetches).toHaveLength(2);
  });

  test('go on for an hour when the provider is away, and hold nobody up meanwhile', async () => {
    const { clock, keys, world } = setUp();
    const first = await keys.current(user);
    world.isAway = true;
    clock.advance(FRESH_MS);
    expect(await keys.current(user)).toBe(first);
    let letGo = () => {};
    world.held = new Promise((resolve) => {
      letGo = resolve;
    });
    clock.advance(COOL_DOWN_MS);
    // It does not answer, and yet this resolves.
    expect(await keys.current(user)).toBe(first);
    expect(world.fetches).toHaveLength(3);
    letGo();
    world.held = null;
    clock.advance(USABLE_MS - FRESH_MS - COOL_DOWN_MS);
    expect(await refusal(keys.current(user))).toBe('unreachable');
    world.isAway = false;
    clock.advance(COOL_DOWN_MS);
    expect(await refusal(keys.current(user))).toBe('keys');
  });

  test('that never came are a named failure, without a new attempt within the cool-down', async () => {
    const { clock, keys, world } = setUp();
    world.isAway = true;
    expect(await refusal(keys.current(user))).toBe('unreachable');
    clock.advance(COOL_DOWN_MS - 1);
    expect(await refusal(keys.current(user))).toBe('unreachable');
    expect(world.fetches).toHaveLength(1);
    clock.advance(1);
    world.isAway = false;
    expect(await refusal(keys.current(user))).toBe('keys');
  });

  test('whatever comes: attempts are a cool-down apart, and no keys older than an hour are used', async () => {
    const step = fc.record({
      waitMs: fc.oneof(fc.nat(COOL_DOWN_MS * 2), fc.nat(USABLE_MS * 2)),
      isAway: fc.boolean(),
      isUnknownKey: fc.boolean(),
      callers: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { clock, keys, world } = setUp();
        const loadedAt = new Map<KeySet, number>();
        for (const { waitMs, isAway, isUnknownKey, callers } of steps) {
          clock.advance(waitMs);
          world.isAway = isAway;
          const call = async () => {
            const set = await keys.current(user);
            return isUnknownKey ? keys.after(user, set) : set;
          };
          for (const outcome of await Promise.allSettled(Array.from({ length: callers }, call))) {
            if (outcome.status === 'rejected') continue;
            const at = loadedAt.get(outcome.value) ?? clock.now();
            loadedAt.set(outcome.value, at);
            expect(clock.now() - at).toBeLessThan(USABLE_MS);
          }
        }
        const gaps = world.fetches.slice(1).map((at, index) => at - (world.fetches[index] ?? 0));
        for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(COOL_DOWN_MS);
      }),
    );
  });
});
