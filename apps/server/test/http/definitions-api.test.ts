import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scripted } from '@plinth/model-sim';
import type { AgentView, JsonObject, Page, ToolView, WrittenAgent, WrittenTool } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { object, tools, withPlinth } from './with-plinth.js';

const plinth = withPlinth();

const price = (jobs: string): JsonObject => ({
  title: 'Price',
  description: 'Looks a price up.',
  parameters: object({ article: { type: 'string' } }),
  executor: { kind: 'remote', url: `${jobs}/price` },
});
const seller: JsonObject = { name: 'Seller', instructions: 'Sell.', tools: ['price'] };

it('a tool and an agent are added without touching code or restarting, and a run uses them', async () => {
  const { backend, jobs, sim } = plinth();
  const tool = await backend.call<WrittenTool>('PUT', '/v1/tools/price', price(jobs.url));
  expect(tool).toMatchObject({
    key: 'price',
    version: 1,
    changed: true,
    warnings: [],
    definition: { key: 'price' },
  });
  const agent = await backend.call<WrittenAgent>('PUT', '/v1/agents/seller', seller);
  expect(agent).toMatchObject({ version: 1, changed: true, tools: [{ key: 'price', digest: tool.digest }] });

  sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'price', arguments: { article: 'tea' } }] }, { text: 'Cheap.' }]),
  ]);
  const ada = await plinth().session('ada');
  const run = await ada.start('how much?', { agent: 'seller' });
  await jobs.finish(await jobs.dispatchOf(run.runId));
  expect(await ada.ended(run.messageId)).toMatchObject({ calls: [{ tool: 'price', status: 'succeeded' }] });
});

it('the same definition again adds no version; another one does, and old versions stay readable', async () => {
  const { backend, jobs } = plinth();
  const first = price(jobs.url);
  const before = await backend.call<WrittenTool>('PUT', '/v1/tools/quote', first);
  const reordered = Object.fromEntries(Object.entries(first).reverse());
  expect(await backend.call('PUT', '/v1/tools/quote', { key: 'quote', ...reordered })).toEqual({
    ...before,
    changed: false,
  });
  const after = await backend.call<WrittenTool>('PUT', '/v1/tools/quote', { ...first, title: 'Quote' });
  expect(after).toMatchObject({ version: 2, changed: true, definition: { title: 'Quote' } });
  expect(await backend.call('GET', '/v1/tools/quote')).toMatchObject({
    version: 2,
    versions: [
      { version: 2, digest: after.digest },
      { version: 1, digest: before.digest },
    ],
  });
  expect(await backend.call('GET', '/v1/tools/quote?version=1')).toMatchObject({
    version: 1,
    definition: { title: 'Price' },
  });
});

it('lists go page by page through the newest versions', async () => {
  const { backend } = plinth();
  const keys: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const found: Page<ToolView> = await backend.call('GET', `/v1/tools?limit=1${at}`);
    keys.push(...found.items.map(({ key }) => key));
    cursor = found.nextCursor;
  }
  expect(keys).toEqual(['ask', 'order', 'price', 'quote']);
  const agents = await backend.call<Page<AgentView>>('GET', '/v1/agents');
  expect(agents.items.map(({ key }) => key)).toEqual(['seller', 'tester']);
});

it.each<[string, string, JsonObject | JsonObject[], string[]]>([
  ['another key than the path has', 'tools/price', { key: 'other' }, ['key']],
  ['a field that is misspelt', 'tools/price', { requireConfirmations: 'always' }, ['requireConfirmations']],
  [
    'a condition that cannot be read',
    'tools/price',
    { requireConfirmation: { when: 'amount >' } },
    ['requireConfirmation.when'],
  ],
  ['a key that cannot be one', 'tools/1st', {}, ['key']],
  ['a tool that is not there', 'agents/seller', { ...seller, tools: ['nowhere'] }, ['tools.0']],
  ['no object', 'tools/price', [], []],
])('%s is refused with the field, and nothing is added', async (_name, path, change, fields) => {
  const { backend, jobs } = plinth();
  const body = Array.isArray(change)
    ? change
    : { ...(path.startsWith('tools') ? price(jobs.url) : seller), ...change };
  const count = async () => (await backend.call<Page<unknown>>('GET', '/v1/tools')).items.length;
  const before = await count();
  const { status, body: problem } = await backend.raw('PUT', `/v1/${path}`, body);
  expect({
    status,
    paths: ((problem as { errors?: { path: string }[] }).errors ?? []).map((one) => one.path),
  }).toEqual({
    status: 400,
    paths: fields,
  });
  expect(await count()).toBe(before);
});

it("another tenant finds none of them under these keys, may use the keys itself, and changes nobody's but its own", async () => {
  const { backend, addBusiness, jobs } = plinth();
  const other = await addBusiness({ key: 'globex', tools: tools(jobs.url) });
  for (const path of ['tools/price', 'tools/quote?version=1', 'agents/seller']) {
    expect(await other.raw('GET', `/v1/${path}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  const before = await backend.call('GET', '/v1/tools/price');
  expect(
    await other.call<WrittenTool>('PUT', '/v1/tools/price', { ...price(jobs.url), title: 'Theirs' }),
  ).toMatchObject({ version: 1 });
  expect(await backend.call('GET', '/v1/tools/price')).toEqual(before);
  expect(await other.raw('PUT', '/v1/agents/thief', { ...seller, tools: ['quote'] })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'tools.0' }] },
  });
});

it("a page's session token neither reads nor writes definitions", async () => {
  const ada = await plinth().session('ada');
  for (const [method, path] of [
    ['GET', 'tools'],
    ['GET', 'tools/price'],
    ['PUT', 'tools/price'],
    ['GET', 'agents'],
    ['PUT', 'agents/seller'],
  ] as const) {
    const body = method === 'PUT' ? {} : undefined;
    expect({ path, ...(await ada.raw(method, `/v1/${path}`, body)) }).toMatchObject({
      path,
      status: 403,
      body: { code: 'forbidden' },
    });
  }
});

// The last one: it leaves no server behind.
it('a directory is brought in at every start; one that is wrong keeps the server from starting and says where', async () => {
  const { servers, backend } = plinth();
  const directory = await mkdtemp(join(tmpdir(), 'plinth-start-'));
  const [server] = servers;
  if (!server) throw new Error('no server');
  const restart = async (more: Record<string, string> = {}) => {
    await server.stop('SIGTERM');
    await server.start(more);
  };
  const write = (name: string, text: string) => writeFile(join(directory, name), text);
  try {
    await mkdir(join(directory, 'tools'));
    await write('tenant.yaml', 'key: acme\nname: Acme\n');
    await write('agent.yaml', 'key: clerk\nname: Clerk\ninstructions: Help.\ntools: [clock]\n');
    const clock = 'key: clock\ntitle: Clock\ndescription: The time.\nparameters: { type: object }\n';
    await write('tools/clock.yaml', `${clock}executor: { kind: builtin, name: current_time }\n`);
    await restart({ PLINTH_BUSINESS_DIR: directory });
    expect(await backend.call('GET', '/v1/agents/clerk')).toMatchObject({
      version: 1,
      tools: [{ key: 'clock' }],
    });
    await write('tools/clock.yaml', `${clock}executor: { kind: builtin, name: sundial }\n`);
    await expect(restart({ PLINTH_BUSINESS_DIR: directory })).rejects.toThrow(
      /tools\/clock\.yaml:5: executor\.name/,
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}, 240_000);
