import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PrismaAgentCatalog } from '../src/agents/agent-catalog.js';
import { generateApiKey } from '../src/auth/api-key.js';
import { ApiKeys } from '../src/auth/api-keys.js';
import { TenantConfigs } from '../src/config/tenant-configs.js';
import { runSeed } from '../src/tenants/run-seed.js';
import { Tenants } from '../src/tenants/tenants.js';
import { type DatabaseFixture, openDatabase } from './database-fixture.js';

const SAMPLE = fileURLToPath(new URL('../../playground/plinth', import.meta.url));

let fixture: DatabaseFixture;
let directory: string;
beforeAll(async () => {
  fixture = await openDatabase();
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plinth-seed-'));
  await cp(SAMPLE, directory, { recursive: true });
});
afterEach(() => rm(directory, { recursive: true, force: true }));
afterAll(() => fixture.close());

const demo = generateApiKey().clear;
const variables = (changes: Record<string, string> = {}) => ({
  DATABASE_APP_URL: fixture.appUrl,
  PLINTH_DEMO_API_KEY: demo,
  PLAYGROUND_JOBS_URL: 'http://127.0.0.1:3001',
  PLAYGROUND_JOBS_HOST: '127.0.0.1:3001',
  COMFYUI_URL: 'http://127.0.0.1:8188',
  COMFYUI_HOST: '127.0.0.1:8188',
  ...changes,
});
const edit = async (name: string, change: (raw: Record<string, unknown>) => unknown) => {
  const path = join(directory, name);
  await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')))));
};
const services = () => ({
  tenants: new Tenants(fixture.database, fixture.clock, fixture.ids),
  apiKeys: new ApiKeys(fixture.database, fixture.clock, fixture.ids),
  catalog: new PrismaAgentCatalog(fixture.database),
  configs: new TenantConfigs(fixture.database, fixture.clock, {}),
});

async function tenantOf(key: string) {
  const id = await services().tenants.findByKey(key);
  if (id === null) throw new Error(`no tenant ${key}`);
  return id;
}

test('the sample business is put in whole, and again without any change', async () => {
  const first = await runSeed(directory, variables());
  expect(first).toMatchObject({ failed: false });
  const tenant = await tenantOf('poster-studio');
  const agent = await services().catalog.newest(tenant, 'poster-studio');
  expect(agent?.version).toBe(1);
  expect(agent?.tools.find(({ key }) => key === 'generate_poster')?.executor).toEqual({
    kind: 'remote',
    url: 'http://127.0.0.1:3001/jobs/poster',
    cancelUrl: 'http://127.0.0.1:3001/jobs/poster/cancel',
  });
  expect(await services().apiKeys.find(demo)).toMatchObject({ ok: true, tenantId: tenant });
  expect(await services().configs.current(tenant)).toMatchObject({ revision: 1, author: 'seed' });

  const second = await runSeed(directory, variables());
  expect(second).toMatchObject({ failed: false });
  expect(second.lines.filter((line) => /created|registered/.test(line))).toEqual([]);
  expect((await services().catalog.newest(tenant, 'poster-studio'))?.version).toBe(1);
  expect(await services().apiKeys.list(tenant)).toHaveLength(1);
});

test('a changed tool makes new versions, and changed configuration of operators is left alone', async () => {
  await edit('tenant.json', (raw) => ({ ...raw, key: 'edited' }));
  const key = generateApiKey().clear;
  await runSeed(directory, variables({ PLINTH_DEMO_API_KEY: key }));
  const tenant = await tenantOf('edited');
  await services().configs.change(tenant, {
    expectedRevision: 1,
    values: { model: { name: 'x' } },
    author: 'ops',
    reason: 'try',
  });
  await edit('tools/choose-style.json', (raw) => ({ ...raw, title: 'Pick a style' }));
  expect(await runSeed(directory, variables({ PLINTH_DEMO_API_KEY: key }))).toMatchObject({ failed: false });
  expect(await services().catalog.newest(tenant, 'poster-studio')).toMatchObject({ version: 2 });
  expect(await services().configs.current(tenant)).toMatchObject({ revision: 2, author: 'ops' });
});

test('configuration that the seed has written itself follows the files', async () => {
  await edit('tenant.json', (raw) => ({ ...raw, key: 'moved' }));
  const key = generateApiKey().clear;
  await runSeed(directory, variables({ PLINTH_DEMO_API_KEY: key }));
  const moved = variables({ PLINTH_DEMO_API_KEY: key, PLAYGROUND_JOBS_HOST: '127.0.0.1:3002' });
  expect(await runSeed(directory, moved)).toMatchObject({ failed: false });
  expect(await services().configs.current(await tenantOf('moved'))).toMatchObject({
    revision: 2,
    effective: { outbound: { allow: ['127.0.0.1:3002', '127.0.0.1:8188'] } },
  });
});

test('a new demo key takes the place of the one before', async () => {
  await edit('tenant.json', (raw) => ({ ...raw, key: 'rotated' }));
  const [before, after] = [generateApiKey().clear, generateApiKey().clear];
  await runSeed(directory, variables({ PLINTH_DEMO_API_KEY: before }));
  await runSeed(directory, variables({ PLINTH_DEMO_API_KEY: after }));
  expect(await services().apiKeys.find(before)).toEqual({ ok: false, reason: 'revoked' });
  expect(await services().apiKeys.find(after)).toMatchObject({ ok: true });
  const again = await runSeed(directory, variables({ PLINTH_DEMO_API_KEY: before }));
  expect(again).toMatchObject({
    failed: true,
    lines: [expect.anything(), expect.stringContaining('is revoked')],
  });
});

test('every problem is told at once, and nothing is written', async () => {
  await edit('tenant.json', (raw) => ({ ...raw, key: 'broken', config: { model: { temperature: 7 } } }));
  await edit('agent.json', (raw) => ({ ...raw, name: '' }));
  await writeFile(join(directory, 'tools', 'choose-style.json'), '{ not json');
  const report = await runSeed(directory, { DATABASE_APP_URL: 'somewhere' });
  expect(report.failed).toBe(true);
  const text = report.lines.join('\n');
  for (const problem of [
    'DATABASE_APP_URL must be',
    'PLINTH_DEMO_API_KEY must look like',
    'tenant.json:1: config.model.temperature',
    'agent.json:1: name',
    'choose-style.json:1: cannot be understood',
    'executor.url needs the environment variable PLAYGROUND_JOBS_URL',
  ]) {
    expect(text).toContain(problem);
  }
  expect(await services().tenants.findByKey('broken')).toBeNull();
});

test('a directory that is not there, or not named, is told', async () => {
  expect(await runSeed('/nowhere', variables())).toMatchObject({
    failed: true,
    lines: expect.arrayContaining(['  - tenant.yaml or tenant.json: is not there']),
  });
  expect((await runSeed(undefined, variables())).lines.join()).toContain('name the directory');
});

test('a database that does not answer is told in one line', async () => {
  const report = await runSeed(
    directory,
    variables({ DATABASE_APP_URL: 'postgres://plinth_app:x@127.0.0.1:1/none' }),
  );
  expect(report).toMatchObject({ failed: true });
  expect(report.lines).toHaveLength(2);
});
