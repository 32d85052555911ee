import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brandRoute } from './brand-route.js';

let app: FastifyInstance;
let client: Client;

beforeEach(async () => {
  app = Fastify({ forceCloseConnections: true });
  brandRoute(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp/brand`)));
});
afterEach(async () => {
  await client.close();
  await app.close();
});

const pastCampaigns = (topic: string) =>
  client
    .callTool({ name: 'past_campaigns', arguments: { topic } })
    .then(({ structuredContent }) =>
      (structuredContent as { campaigns: { title: string }[] }).campaigns.map(({ title }) => title),
    );

test('it offers two tools that say that they only read', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['guidelines', true],
    ['past_campaigns', true],
  ]);
});

test('the guidelines name the sound of the house, as a value and as text', async () => {
  const { structuredContent, content } = await client.callTool({ name: 'guidelines' });
  expect(structuredContent).toMatchObject({ sound: expect.stringContaining('strings') });
  expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(structuredContent);
});

test.each([
  ['Autumn tea sale', ['First flush', 'Yard sale']],
  ['秋季茶叶促销', ['First flush', 'Yard sale']],
  ['a small jazz bar', ['Blue hour']],
  ['barber', []],
])('past campaigns akin to "%s": %j', async (topic, titles) => {
  expect(await pastCampaigns(topic)).toEqual(titles);
});

test('a topic that is missing is the error of the call, not of the connection', async () => {
  const answer = await client.callTool({ name: 'past_campaigns', arguments: {} });
  expect(answer.isError).toBe(true);
  expect(await pastCampaigns('jazz')).toEqual(['Blue hour']);
});

test('there is no session to listen to', async () => {
  const answer = await app.inject({ method: 'GET', url: '/mcp/brand' });
  expect(answer.statusCode).toBe(405);
  expect(answer.headers.allow).toBe('POST');
  expect(answer.json()).toMatchObject({ code: 'method_not_allowed' });
});
