import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PrismaAgentCatalog } from '../src/agents/agent-catalog.js';
import { AgentPublisher } from '../src/agents/publish-agent.js';
import { SkillRegistry } from '../src/skills/skill-registry.js';
import { ToolRegistry } from '../src/tools/tool-registry.js';
import { type DatabaseFixture, openDatabase, refusalOf } from './database-fixture.js';

let fixture: DatabaseFixture;
let skills: SkillRegistry;
let tools: ToolRegistry;
let publisher: AgentPublisher;
beforeAll(async () => {
  fixture = await openDatabase();
  skills = new SkillRegistry(fixture.database, fixture.clock, fixture.ids);
  tools = new ToolRegistry(fixture.database, fixture.clock, fixture.ids);
  publisher = new AgentPublisher(fixture.database, fixture.clock, fixture.ids);
});
afterAll(() => fixture.close());

const catalog = () => new PrismaAgentCatalog(fixture.database);
const skill = (key: string, content = 'Write short headlines.') => ({
  key,
  description: `About ${key}`,
  content,
});
const agent = (named: string[], toolKeys = ['load_skill']) => ({
  key: 'helper',
  name: 'Helper',
  instructions: 'Help.',
  tools: toolKeys,
  skills: named,
});
const loader = { key: 'load_skill', executor: { kind: 'builtin', name: 'load_skill' } };

describe('a skill', () => {
  test('is stored as one version however often the same is stored, also at once', async () => {
    const { id } = await fixture.addTenant();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => skills.put(id, skill('wording'))));
    expect(outcomes.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await skills.put(id, skill('wording', 'Other.'))).toMatchObject({
      changed: true,
      skill: { version: 2 },
    });
    expect(await skills.get(id, 'wording')).toMatchObject({ version: 2, content: 'Other.' });
    expect(await skills.get(id, 'wording', 1)).toMatchObject({ content: 'Write short headlines.' });
  });

  test('of another tenant is not there, and the same key is a skill of its own', async () => {
    const [{ id: acme }, { id: globex }] = [await fixture.addTenant(), await fixture.addTenant()];
    await skills.put(acme, skill('wording'));
    expect((await refusalOf(skills.get(globex, 'wording'))).code).toBe('not_found');
    expect(await skills.put(globex, skill('wording', 'Ours.'))).toMatchObject({ skill: { version: 1 } });
    expect(await skills.get(acme, 'wording')).toMatchObject({ content: 'Write short headlines.' });
    expect((await skills.list(acme, { limit: 10 })).items).toHaveLength(1);
  });

  test('lists come by key, in pages, each skill in its newest version', async () => {
    const { id } = await fixture.addTenant();
    for (const key of ['c', 'a', 'b', 'a'])
      await skills.put(id, skill(key, `${key} ${fixture.ids.next('run')}`));
    const first = await skills.list(id, { limit: 2 });
    expect(first.items.map(({ key, version }) => [key, version])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    const second = await skills.list(id, { limit: 2, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ items: [{ key: 'c' }], nextCursor: null });
  });

  test.each([
    ['a description of two lines', { description: 'One\ntwo' }, 'description'],
    ['no content', { content: ' ' }, 'content'],
    ['a bad key', { key: 'No Key' }, 'key'],
  ])('with %s is refused, naming the field', async (_name, fields, path) => {
    const { id } = await fixture.addTenant();
    const refusal = await refusalOf(skills.put(id, { ...skill('wording'), ...fields }));
    expect(refusal.fields.map((field) => field.path)).toEqual([path]);
  });
});

describe('publishing an agent with skills', () => {
  test('pins each in the version that is the newest then, with its digest', async () => {
    const { id } = await fixture.addTenant();
    await tools.register(id, loader);
    const { skill: first } = await skills.put(id, skill('wording'));
    const published = await publisher.publish(id, agent(['wording']));
    await skills.put(id, skill('wording', 'Other.'));
    expect((await catalog().version(id, published.id)).skills).toEqual([
      { ...skill('wording'), version: 1, digest: first.digest },
    ]);
    const again = await publisher.publish(id, agent(['wording']));
    expect(again).toMatchObject({ version: 2, changed: true });
    expect((await catalog().version(id, again.id)).skills).toMatchObject([{ version: 2, content: 'Other.' }]);
    expect(await publisher.publish(id, agent(['wording']))).toMatchObject({ version: 2, changed: false });
  });

  test('one that is not there, or that no tool can load, is refused and named', async () => {
    const { id } = await fixture.addTenant();
    await tools.register(id, loader);
    await skills.put(id, skill('wording'));
    expect((await refusalOf(publisher.publish(id, agent(['wording', 'colours'])))).fields).toMatchObject([
      { path: 'skills.1', message: expect.stringContaining('"colours"') },
    ]);
    expect((await refusalOf(publisher.publish(id, agent(['wording'], [])))).fields).toMatchObject([
      { path: 'skills', message: expect.stringContaining('load_skill') },
    ]);
    expect((await refusalOf(publisher.publish(id, agent(['wording', 'wording'])))).fields).toMatchObject([
      { path: 'skills.1', message: expect.stringContaining('twice') },
    ]);
  });
});
