import type { AgentVersionId } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PrismaAgentCatalog } from '../src/agents/agent-catalog.js';
import { AgentPublisher } from '../src/agents/publish-agent.js';
import { ToolRegistry } from '../src/tools/tool-registry.js';
import { codeOf, type DatabaseFixture, openDatabase, refusalOf } from './database-fixture.js';

let fixture: DatabaseFixture;
let registry: ToolRegistry;
let publisher: AgentPublisher;
beforeAll(async () => {
  fixture = await openDatabase();
  registry = new ToolRegistry(fixture.database, fixture.clock, fixture.ids);
  publisher = new AgentPublisher(fixture.database, fixture.clock, fixture.ids);
});
afterAll(() => fixture.close());

const catalog = () => new PrismaAgentCatalog(fixture.database);
const tool = (key: string, fields: object = {}) => ({
  key,
  title: 'A tool',
  description: 'Does it.',
  parameters: { type: 'object', properties: { zeta: { type: 'string' }, alpha: { type: 'number' } } },
  executor: { kind: 'remote', url: 'https://jobs.test' },
  ...fields,
});
const agent = (tools: string[], fields: object = {}) => ({
  key: 'helper',
  name: 'Helper',
  instructions: 'Help.',
  tools,
  ...fields,
});

describe('tools', () => {
  test('a definition that says the same adds no version, in whatever order it says it', async () => {
    const { id } = await fixture.addTenant();
    expect(await registry.register(id, tool('draw'))).toMatchObject({
      key: 'draw',
      version: 1,
      changed: true,
    });
    const reordered = Object.fromEntries(Object.entries(tool('draw')).reverse());
    expect(await registry.register(id, reordered)).toMatchObject({ key: 'draw', version: 1, changed: false });
    expect(await registry.register(id, tool('draw', { title: 'Draw' }))).toMatchObject({
      key: 'draw',
      version: 2,
      changed: true,
    });
  });

  test('a tool that refers to a secret which is not set is registered, with a warning that names it', async () => {
    const { id } = await fixture.addTenant();
    const executor = {
      kind: 'http',
      url: 'https://api.example/',
      headers: { 'X-Key': '{{secrets.ABSENT}} {{secrets.PRESENT}}' },
    };
    const [createdAt, updatedAt] = [new Date(), new Date()];
    await fixture.database.inTenant(id, { endUserId: null }, (tx) =>
      tx.tenantSecret.create({
        data: {
          tenantId: id,
          name: 'PRESENT',
          ciphertext: new Uint8Array(16),
          nonce: new Uint8Array(12),
          keyId: 'x',
          createdAt,
          updatedAt,
        },
      }),
    );
    const { warnings } = await registry.register(id, tool('call_api', { executor }));
    expect(warnings).toEqual([expect.stringContaining('ABSENT')]);
  });

  test('the same tool registered many times at once is one version', async () => {
    const { id } = await fixture.addTenant();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => registry.register(id, tool('draw'))));
    expect(outcomes.map(({ version }) => version)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(outcomes.filter(({ changed }) => changed)).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ['a bad key', { key: '1st' }, 'key'],
    ['parameters that are no object', { parameters: { type: 'string' } }, 'parameters.type'],
    [
      'a pattern that a text could make hang',
      {
        parameters: { type: 'object', properties: { a: { type: 'string', pattern: '^(?=.*x)(.+)+$' } } },
      },
      'parameters.properties.a.pattern',
    ],
    [
      'parameters that are no JSON Schema',
      { parameters: { type: 'object', properties: { a: { type: 'nonsense' } } } },
      'parameters',
    ],
    [
      'a submission that is no JSON Schema',
      { executor: { kind: 'component', component: 'X', submit: { type: 7 } } },
      'executor.submit',
    ],
    [
      'a limit for what is shown to a person',
      {
        executor: { kind: 'component', component: 'X', submit: {} },
        rateLimit: { max: 1, perSeconds: 1 },
      },
      'rateLimit',
    ],
    ['a cache for what happens elsewhere', { idempotent: true, cache: { ttlSeconds: 1 } }, 'cache'],
    [
      'a cache for what must not be left out',
      { executor: { kind: 'builtin', name: 'current_time' }, idempotent: false, cache: { ttlSeconds: 1 } },
      'cache',
    ],
    [
      'a condition that cannot be read',
      { requireConfirmation: { when: 'amount >' } },
      'requireConfirmation.when',
    ],
    [
      'a URL that is not of the web',
      { executor: { kind: 'remote', url: 'file:///etc/passwd' } },
      'executor.url',
    ],
  ])('%s is refused and named', async (_name, fields, path) => {
    const { id } = await fixture.addTenant();
    const refusal = await refusalOf(registry.register(id, tool('draw', fields)));
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.fields.map((field) => field.path)).toEqual([path]);
  });
});

describe('publishing an agent', () => {
  test('a version holds its tools in the order of the agent, as they were then', async () => {
    const { id } = await fixture.addTenant();
    await registry.register(id, tool('look'));
    await registry.register(id, tool('draw'));
    const first = await publisher.publish(id, agent(['look', 'draw']));
    await registry.register(id, tool('draw', { title: 'Draw better' }));
    const version = await catalog().version(id, first.id);
    expect(version).toMatchObject({ id: first.id, version: 1, definition: { key: 'helper', config: {} } });
    expect(version.tools.map(({ key, title }) => [key, title])).toEqual([
      ['look', 'A tool'],
      ['draw', 'A tool'],
    ]);
    expect(Object.keys(version.tools[0]?.parameters.properties ?? {})).toEqual(['zeta', 'alpha']);
  });

  test('publishing what did not change makes no version; a changed tool makes one', async () => {
    const { id } = await fixture.addTenant();
    await registry.register(id, tool('draw'));
    const first = await publisher.publish(id, agent(['draw']));
    expect(await publisher.publish(id, agent(['draw']))).toEqual({ ...first, changed: false });
    await registry.register(id, tool('draw', { title: 'Draw better' }));
    expect(await publisher.publish(id, agent(['draw']))).toMatchObject({ version: 2, changed: true });
    expect((await catalog().newest(id, 'helper'))?.tools[0]?.title).toBe('Draw better');
  });

  test('going back to an earlier definition is a new version', async () => {
    const { id } = await fixture.addTenant();
    await publisher.publish(id, agent([]));
    await publisher.publish(id, agent([], { name: 'Other' }));
    expect(await publisher.publish(id, agent([]))).toMatchObject({ version: 3, changed: true });
  });

  test('one agent published many times at once is one version', async () => {
    const { id } = await fixture.addTenant();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => publisher.publish(id, agent([]))));
    expect(new Set(outcomes.map(({ id: versionId }) => versionId)).size).toBe(1);
  });

  test.each<[string, object, string[]]>([
    ['tools that are not there', agent(['draw', 'fly']), ['tools.0', 'tools.1']],
    ['a tool named twice', agent(['draw', 'draw']), ['tools.1']],
    [
      'settings that do not hold',
      agent([], { config: { model: { temperature: 3 }, colour: 'red' } }),
      ['config.model.temperature', 'config'],
    ],
    ['no instructions', agent([], { instructions: '' }), ['instructions']],
  ])('%s are refused and named', async (_name, definition, paths) => {
    const { id } = await fixture.addTenant();
    const refusal = await refusalOf(publisher.publish(id, definition));
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.fields.map(({ path }) => path).sort()).toEqual(paths.sort());
    expect(await catalog().newest(id, 'helper')).toBeNull();
  });

  test("an agent's settings cannot take the place of its tenant's permission rules", async () => {
    const { id } = await fixture.addTenant();
    const config = { tools: { permissions: [] } };
    const refusal = await refusalOf(publisher.publish(id, agent([], { config })));
    expect(refusal.fields.map(({ path }) => path)).toEqual(['config.tools.permissions']);
    const permissions = [{ tool: 'draw', effect: 'deny' }];
    expect(await publisher.publish(id, agent([], { permissions }))).toMatchObject({ version: 1 });
    const named = [{ tool: 'a b', agent: 'helper', effect: 'forbid' }];
    const wrong = await refusalOf(publisher.publish(id, agent([], { permissions: named })));
    expect(wrong.fields.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['permissions.0.tool', 'permissions.0.effect']),
    );
  });

  test("another tenant's tools cannot be used", async () => {
    const [acme, bolt] = [await fixture.addTenant(), await fixture.addTenant()];
    await registry.register(acme.id, tool('draw'));
    expect(await codeOf(publisher.publish(bolt.id, agent(['draw'])))).toBe('invalid_request');
  });
});

describe('the catalog', () => {
  test('the newest version is found at once by a process that read an older one', async () => {
    const { id } = await fixture.addTenant();
    const reader = catalog();
    await publisher.publish(id, agent([]));
    expect((await reader.newest(id, 'helper'))?.version).toBe(1);
    await publisher.publish(id, agent([], { name: 'Other' }));
    expect((await reader.newest(id, 'helper'))?.version).toBe(2);
  });

  test("a tenant finds neither another tenant's agents nor their versions, cached or not", async () => {
    const [acme, bolt] = [await fixture.addTenant(), await fixture.addTenant()];
    const { id } = await publisher.publish(acme.id, agent([]));
    const reader = catalog();
    await reader.version(acme.id, id);
    await expect(reader.version(bolt.id, id)).rejects.toThrow('is not there');
    expect(await reader.newest(bolt.id, 'helper')).toBeNull();
  });

  test('a version that is not there is a bug and says so', async () => {
    const { id } = await fixture.addTenant();
    await expect(catalog().version(id, 'agv_none' as AgentVersionId)).rejects.toThrow(
      'agv_none is not there',
    );
  });
});
