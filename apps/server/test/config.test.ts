import { DEFAULT_TENANT_CONFIG } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LayeredConfigSource } from '../src/config/tenant-config-source.js';
import { TenantConfigs } from '../src/config/tenant-configs.js';
import { codeOf, type DatabaseFixture, openDatabase, refusalOf } from './database-fixture.js';

let fixture: DatabaseFixture;
let configs: TenantConfigs;
beforeAll(async () => {
  fixture = await openDatabase();
  configs = new TenantConfigs(fixture.database, fixture.clock, { model: { name: 'installed-model' } });
});
afterAll(() => fixture.close());

const change = (expectedRevision: number, values: unknown) => ({
  expectedRevision,
  values,
  author: 'ops',
  reason: 'a try',
});

describe('configuration revisions', () => {
  test('before any change the defaults hold, under what the installation sets', async () => {
    const { id } = await fixture.addTenant();
    expect(await configs.current(id)).toMatchObject({
      revision: 0,
      values: {},
      effective: {
        ...DEFAULT_TENANT_CONFIG,
        model: { ...DEFAULT_TENANT_CONFIG.model, name: 'installed-model' },
      },
    });
  });

  test('a change is a new revision with author and reason, and lies over what was below', async () => {
    const { id } = await fixture.addTenant();
    await configs.change(id, change(0, { model: { temperature: 0 } }));
    const current = await configs.current(id);
    expect(current).toMatchObject({
      revision: 1,
      values: { model: { temperature: 0 } },
      effective: { model: { name: 'installed-model', temperature: 0 } },
      author: 'ops',
      reason: 'a try',
      createdAt: fixture.clock.now(),
    });
  });

  test('what a later revision leaves out has its default again', async () => {
    const { id } = await fixture.addTenant();
    await configs.change(id, change(0, { budgets: { maxTurns: 5 } }));
    await configs.change(id, change(1, {}));
    expect((await configs.current(id)).effective.budgets.maxTurns).toBe(
      DEFAULT_TENANT_CONFIG.budgets.maxTurns,
    );
  });

  test('a change that rests on an old revision is refused and told the current one', async () => {
    const { id } = await fixture.addTenant();
    await configs.change(id, change(0, {}));
    expect(await refusalOf(configs.change(id, change(0, { model: { name: 'x' } })))).toMatchObject({
      code: 'config_revision_conflict',
      facts: { expectedRevision: 0, currentRevision: 1 },
    });
    expect((await configs.current(id)).revision).toBe(1);
  });

  test('of many changes at once on the same revision, one wins', async () => {
    const { id } = await fixture.addTenant();
    const attempts = Array.from({ length: 6 }, (_, index) =>
      configs.change(id, change(0, { budgets: { maxTurns: index + 1 } })),
    );
    const outcomes = await Promise.all(
      attempts.map((attempt) =>
        attempt.then(
          () => 'won',
          () => codeOf(attempt),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['won', 'config_revision_conflict']));
  });

  test('every invalid field is named, and nothing is written', async () => {
    const { id } = await fixture.addTenant();
    const values = { model: { temperature: 9 }, budgets: { maxTurns: 0 }, unknown: 1 };
    const refusal = await refusalOf(configs.change(id, { ...change(0, values), reason: ' ' }));
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.fields.map(({ path }) => path).sort()).toEqual([
      'reason',
      'values',
      'values.budgets.maxTurns',
      'values.model.temperature',
    ]);
    expect((await configs.current(id)).revision).toBe(0);
  });

  test.each([[null], [[]], ['x']])('%j is no configuration', async (values) => {
    const { id } = await fixture.addTenant();
    expect(await codeOf(configs.change(id, change(0, values)))).toBe('invalid_request');
  });

  test('the history is read newest first, page by page', async () => {
    const { id } = await fixture.addTenant();
    for (let revision = 0; revision < 5; revision += 1) await configs.change(id, change(revision, {}));
    const first = await configs.history(id, { limit: 2 });
    const second = await configs.history(id, { limit: 2, cursor: first.nextCursor ?? '' });
    const third = await configs.history(id, { limit: 2, cursor: second.nextCursor ?? '' });
    expect([first, second, third].map(({ items }) => items.map(({ revision }) => revision))).toEqual([
      [5, 4],
      [3, 2],
      [1],
    ]);
    expect(third.nextCursor).toBeNull();
    expect(await codeOf(configs.history(id, { limit: 2, cursor: 'x' }))).toBe('invalid_request');
  });

  test("a tenant's changes are its own", async () => {
    const [acme, bolt] = [await fixture.addTenant(), await fixture.addTenant()];
    await configs.change(acme.id, change(0, { model: { name: 'acme-model' } }));
    expect(await configs.current(bolt.id)).toMatchObject({
      revision: 0,
      effective: { model: { name: 'installed-model' } },
    });
    expect((await configs.history(bolt.id, { limit: 10 })).items).toEqual([]);
  });
});

describe('configuration for a turn', () => {
  test('the agent lies over the tenant, the tenant over the installation, that over the defaults', async () => {
    const { id } = await fixture.addTenant();
    const source = new LayeredConfigSource(configs);
    await configs.change(id, change(0, { model: { temperature: 0.2, maxOutputTokens: 100 } }));
    const { revision, forAgent } = await source.current(id);
    expect(revision).toBe(1);
    expect(forAgent({ model: { temperature: 1 } }).model).toEqual({
      ...DEFAULT_TENANT_CONFIG.model,
      name: 'installed-model',
      temperature: 1,
      maxOutputTokens: 100,
    });
  });

  test('a change that another process made holds at the next read', async () => {
    const { id } = await fixture.addTenant();
    const source = new LayeredConfigSource(configs);
    expect((await source.current(id)).forAgent({}).model.name).toBe('installed-model');
    await new TenantConfigs(fixture.database, fixture.clock, {}).change(
      id,
      change(0, { model: { name: 'new-model' } }),
    );
    const { revision, forAgent } = await source.current(id);
    expect(revision).toBe(1);
    expect(forAgent({}).model.name).toBe('new-model');
  });
});
