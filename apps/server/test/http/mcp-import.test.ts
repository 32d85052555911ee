import { scripted } from '@plinth/model-sim';
import type { ImportMcpToolsResponse, JsonObject, SessionTokenResponse } from '@plinth/protocol';
import { type OddMcpHttp, startOddMcpHttp } from '@plinth/testkit/system';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { oddStdio } from '../mcp/mcp-fixture.js';
import { withPlinth } from './with-plinth.js';

const plinth = withPlinth({}, undefined, {
  odd: { description: 'Odd things.', transport: oddStdio('odd', 'bad_schemas') },
  twin: { description: 'The same names.', transport: oddStdio('twin') },
  blue: { description: 'The same names.', toolPrefix: 'sky', transport: oddStdio('blue') },
  mute: { description: 'Says nothing.', timeoutMs: 200, transport: oddStdio('mute', 'mute') },
});
let remote: OddMcpHttp;
beforeAll(async () => {
  remote = await startOddMcpHttp('remote');
});
afterAll(() => remote.close());

const importFrom = (key: string, body: JsonObject) =>
  plinth().backend.call<ImportMcpToolsResponse>('POST', `/v1/mcp-servers/${key}/import`, body);

it('all tools of a server are registered but for those that cannot be, each of which is named with its reason', async () => {
  const dry = await importFrom('odd', { all: true, dryRun: true });
  expect(dry.imported.every(({ version }) => version === null)).toBe(true);
  const { imported, refused } = await importFrom('odd', { all: true });
  expect(imported.map(({ tool }) => tool)).toEqual(dry.imported.map(({ tool }) => tool));
  expect(imported).toContainEqual({ tool: 'echo', key: 'echo', version: 1, changed: true });
  expect(refused.map(({ tool }) => tool).sort()).toEqual([
    'broken_schema',
    'enormous_schema',
    'no_schema',
    'number 17 of the list',
    'one_or_other',
    'takes_a_list',
  ]);
  expect(refused.every(({ problems }) => problems.length > 0)).toBe(true);
  const again = await importFrom('odd', { tools: ['echo'] });
  expect(again.imported).toEqual([{ tool: 'echo', key: 'echo', version: 1, changed: false }]);
});

it('tools of the same name of two servers keep apart: the second gets its server before the name', async () => {
  await importFrom('odd', { tools: ['echo'] });
  expect((await importFrom('twin', { tools: ['echo'] })).imported).toMatchObject([{ key: 'twin_echo' }]);
  expect((await importFrom('twin', { tools: ['echo'] })).imported).toMatchObject([
    { key: 'twin_echo', version: 1, changed: false },
  ]);
  expect((await importFrom('blue', { tools: ['echo'] })).imported).toMatchObject([{ key: 'sky_echo' }]);
});

it('a server that cannot be asked is said so, and nothing is registered', async () => {
  const answer = await plinth().backend.raw('POST', '/v1/mcp-servers/mute/import', { all: true });
  expect(answer).toMatchObject({
    status: 502,
    body: { code: 'mcp_server_unavailable', facts: { server: 'mute' } },
  });
});

it('names that the server does not offer are refused one by one; a request must say what it wants', async () => {
  const { imported, refused } = await importFrom('twin', { tools: ['pid', 'nothing'] });
  expect(imported).toMatchObject([{ tool: 'pid' }]);
  expect(refused).toMatchObject([{ tool: 'nothing', problems: [{ path: 'name' }] }]);
  for (const body of [{}, { all: true, tools: ['echo'] }])
    expect(await plinth().backend.raw('POST', '/v1/mcp-servers/twin/import', body)).toMatchObject({
      status: 400,
    });
});

it("another tenant cannot import from a tenant's server, nor an end user at all", async () => {
  const other = await plinth().addBusiness({ key: 'globex', tools: [] });
  const path = '/v1/mcp-servers/odd/import';
  expect(await other.raw('POST', path, { all: true })).toMatchObject({ status: 404 });
  const ada = await plinth().session('ada');
  expect(await ada.raw('POST', path, { all: true })).toMatchObject({ status: 403 });
});

it('an agent calls imported tools of two servers with the same name, each at its own server', async () => {
  const { backend, sim } = plinth();
  await backend.call('PUT', '/v1/mcp-servers/remote', {
    description: 'A remote one.',
    transport: { kind: 'streamable_http', url: remote.url },
  });
  await importFrom('odd', { tools: ['echo'] });
  await importFrom('remote', { tools: ['echo'] });
  const renewed = await plinth().addBusiness({ key: 'acme', tools: [], offers: ['echo', 'remote_echo'] });
  sim.setScenarios([
    scripted([
      {
        toolCalls: [
          { name: 'echo', arguments: { text: 'tea' } },
          { name: 'remote_echo', arguments: { text: 'cake' } },
        ],
      },
      { text: 'Done.' },
    ]),
  ]);
  const { token } = await renewed.call<SessionTokenResponse>('POST', '/v1/session-tokens', {
    endUserId: 'ada',
  });
  const ada = plinth().as(token);
  const run = await ada.start('go');
  expect(await ada.ended(run.messageId)).toMatchObject({ reason: 'final_answer' });
  expect(sim.requests.at(-1)?.raw).toContain('odd says tea');
  expect(sim.requests.at(-1)?.raw).toContain('remote says cake');
});
