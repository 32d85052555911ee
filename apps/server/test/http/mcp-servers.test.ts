import type { JsonObject, McpServerView, Page } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { withPlinth } from './with-plinth.js';

const plinth = withPlinth({}, undefined, {
  local: {
    description: 'A local process.',
    transport: { kind: 'stdio', command: '/bin/secret-place', env: { A: 'b' } },
  },
});

const remote = (url = 'https://mcp.example/mcp', more: JsonObject = {}): JsonObject => ({
  description: 'Files of the team.',
  transport: { kind: 'streamable_http', url },
  ...more,
});
const put = (client: ApiClient, key: string, body: JsonObject) =>
  client.call<McpServerView>('PUT', `/v1/mcp-servers/${key}`, body);
const refused = async (key: string, body: JsonObject) =>
  (await plinth().backend.raw('PUT', `/v1/mcp-servers/${key}`, body)) as {
    status: number;
    body: { code: string; errors?: { path: string }[] };
  };

it('a server that is registered is listed, and a change raises its revision; the same again does not', async () => {
  const { backend } = plinth();
  const first = await put(backend, 'files', remote());
  expect(first).toMatchObject({
    key: 'files',
    revision: 1,
    origin: 'tenant',
    timeoutMs: 30_000,
    include: ['*'],
  });
  expect(await put(backend, 'files', remote())).toEqual(first);
  const second = await put(backend, 'files', remote('https://mcp.example/other'));
  expect(second).toMatchObject({ revision: 2, transport: { url: 'https://mcp.example/other' } });
  expect(await backend.call('GET', '/v1/mcp-servers/files')).toEqual(second);
  const page = await backend.call<Page<McpServerView>>('GET', '/v1/mcp-servers?limit=1');
  expect(page).toMatchObject({ items: [{ key: 'files' }], nextCursor: 'files' });
  const rest = await backend.call<Page<McpServerView>>('GET', '/v1/mcp-servers?limit=1&cursor=files');
  expect(rest).toMatchObject({ items: [{ key: 'local' }], nextCursor: null });
});

it('a change that was made on another revision is refused with the one that is there', async () => {
  const { backend } = plinth();
  await put(backend, 'moving', remote('https://mcp.example/1', { expectedRevision: 0 }));
  expect(await refused('moving', remote('https://mcp.example/2', { expectedRevision: 0 }))).toMatchObject({
    status: 409,
    body: { code: 'mcp_server_conflict', facts: { currentRevision: 1 } },
  });
  expect(
    await put(backend, 'moving', remote('https://mcp.example/2', { expectedRevision: 1 })),
  ).toMatchObject({
    revision: 2,
  });
});

it('a stdio server comes from the operator alone: no API key makes, changes or removes one, or sees what it starts', async () => {
  const { backend } = plinth();
  const stdio = { description: 'Mine.', transport: { kind: 'stdio', command: 'sh' } };
  expect(await refused('mine', stdio)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await refused('local', remote())).toMatchObject({ status: 403 });
  expect(await backend.raw('DELETE', '/v1/mcp-servers/local')).toMatchObject({ status: 403 });
  const seen = await backend.call('GET', '/v1/mcp-servers/local');
  expect(seen).toMatchObject({ origin: 'operator', transport: { kind: 'stdio' } });
  expect(JSON.stringify(seen)).not.toContain('secret-place');
});

it('what is wrong is named field by field, and nothing is written', async () => {
  const bad = { ...remote('ftp://mcp.example'), description: 'two\nlines', timeoutMs: 5, extra: 1 };
  const { status, body } = await refused('bad', bad);
  expect(status).toBe(400);
  expect(body.errors?.map(({ path }) => path).sort()).toEqual([
    '',
    'description',
    'timeoutMs',
    'transport.url',
  ]);
  expect(await refused('Not a key', remote())).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'key' }] },
  });
  const literal = {
    kind: 'streamable_http',
    url: 'https://mcp.example',
    auth: { kind: 'bearer', token: 'abc' },
  };
  expect(await refused('bad', { description: 'x', transport: literal })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'transport.auth.token' }] },
  });
  expect(await plinth().backend.raw('GET', '/v1/mcp-servers/bad')).toMatchObject({ status: 404 });
});

it('another tenant does not see, change or remove a server, and may have one of the same key', async () => {
  const { backend } = plinth();
  const mine = await put(backend, 'shared-name', remote());
  const other = await plinth().addBusiness({ key: 'globex', tools: [] });
  const path = '/v1/mcp-servers/shared-name';
  expect(await other.raw('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await other.raw('DELETE', path)).toMatchObject({ status: 404 });
  expect(await other.call('GET', '/v1/mcp-servers')).toEqual({ items: [], nextCursor: null });
  expect(await put(other, 'shared-name', remote('https://globex.example/mcp'))).toMatchObject({
    revision: 1,
  });
  expect(await backend.call('GET', path)).toEqual(mine);
  await backend.call('DELETE', path);
  expect(await backend.raw('GET', path)).toMatchObject({ status: 404 });
  expect(await other.call('GET', path)).toMatchObject({ transport: { url: 'https://globex.example/mcp' } });
});

it('an end user has no way to servers', async () => {
  const ada = await plinth().session('ada');
  for (const [method, path, body] of [
    ['GET', '/v1/mcp-servers', undefined],
    ['GET', '/v1/mcp-servers/local', undefined],
    ['PUT', '/v1/mcp-servers/hers', remote()],
    ['DELETE', '/v1/mcp-servers/local', undefined],
  ] as const)
    expect(await ada.raw(method, path, body)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});
