import { scripted } from '@plinth/model-sim';
import type { JsonObject, OpenApiImportResponse } from '@plinth/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PETSTORE } from '../../src/tools/openapi/petstore.test-support.js';
import { type Peer, startPeer } from '../outbound-fixture.js';
import { tools, withPlinth } from './with-plinth.js';

const plinth = withPlinth();
const PATH = '/v1/tools/import/openapi';
let files: Peer;
beforeAll(async () => {
  files = await startPeer((request, response) => {
    if (request.url === '/petstore.yaml') response.end(PETSTORE);
    else if (request.url === '/huge.json') response.end(`{"a":"${'x'.repeat(6_000_000)}"}`);
    else response.writeHead(404).end();
  });
});
afterAll(() => files?.close());

const importing = (body: JsonObject) => plinth().backend.call<OpenApiImportResponse>('POST', PATH, body);

it("the server's own document becomes tools that work against the server itself", async () => {
  const { url, backend, sim, addBusiness, as } = plinth();
  const document = `${url}/openapi.json`;
  const auth = { apiKey: { secret: 'PLINTH_KEY' }, sessionToken: null };
  const dry = await importing({ document, auth, dryRun: true, prefix: 'plinth' });
  expect(dry.tools.length).toBeGreaterThan(15);
  expect(dry.skipped.map(({ operationId, reasons }) => [operationId, reasons[0]])).toContainEqual([
    'messageEvents',
    'answers with an event stream, which has no end',
  ]);
  const operations = ['listThreads', 'oneThreads', 'listSecrets', 'putSecrets'].filter((id) =>
    dry.tools.some(({ operationId }) => operationId === id),
  );
  expect(operations).toContain('putSecrets');
  const made = await importing({
    document,
    auth,
    operations,
    prefix: 'plinth',
    requireConfirmation: 'never',
  });
  expect(made.tools.map(({ action, warnings }) => ({ action, warnings }))).toEqual(
    operations.map(() => ({
      action: 'create',
      warnings: ['the secret PLINTH_KEY is not set; calls fail until it is'],
    })),
  );

  // The business publishes its agent with them, and stores the key that they are let in with.
  const business = await addBusiness({
    key: 'acme',
    tools: [...tools(plinth().jobs.url), ...made.tools.map(({ definition }) => definition)],
  });
  await business.call('PUT', '/v1/secrets/PLINTH_KEY', { value: business.credential });
  sim.setScenarios([
    scripted([
      {
        toolCalls: [
          { name: 'plinth_putSecrets', arguments: { name: 'MADE_BY_A_TOOL', body: { value: 'x' } } },
        ],
      },
      { toolCalls: [{ name: 'plinth_putSecrets', arguments: { name: 'no good', body: { value: 'x' } } }] },
      { toolCalls: [{ name: 'plinth_listThreads', arguments: { limit: 1 } }] },
      { text: 'Done.' },
    ]),
  ]);
  const started = await business.call<{ runId: string; messageId: string }>('POST', '/v1/runs', {
    agent: 'tester',
    endUserId: 'ada',
    input: { text: 'store it' },
  });
  expect(await business.ended(started.messageId)).toMatchObject({ reason: 'final_answer' });
  expect(await business.call('GET', '/v1/secrets')).toMatchObject({
    items: [{ name: 'MADE_BY_A_TOOL' }, { name: 'PLINTH_KEY' }],
  });
  const last = JSON.parse(sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string }[];
  };
  const results = last.messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));
  expect(results).toMatchObject([
    { result: { name: 'MADE_BY_A_TOOL' } },
    {
      status: 'failed',
      error: { code: 'invalid_request', message: expect.stringContaining('letters, digits') },
    },
    { result: { items: [{ id: expect.any(String) }] } },
  ]);
  expect(sim.requests.at(-1)?.raw).not.toContain(business.credential);
  expect(backend.credential).not.toBe(business.credential);
  renewed = as(business.credential);
});

/** Publishing the business anew has replaced its key. */
let renewed: ReturnType<ReturnType<typeof plinth>['as']>;

it('a document by URL is fetched, a dry run writes nothing, and the same import again changes nothing', async () => {
  const body = { document: `${files.url}/petstore.yaml`, auth: { key: { secret: 'PETS' } }, prefix: 'zoo' };
  const run = (more: JsonObject = {}) =>
    renewed.call<OpenApiImportResponse>('POST', PATH, { ...body, ...more });
  const dry = await run({ dryRun: true });
  expect(dry.tools.map(({ key, action }) => [key, action])).toContainEqual(['zoo_listPets', 'create']);
  expect((await run({ dryRun: true })).tools).toEqual(dry.tools);
  const first = await run();
  expect(first).toEqual({ ...dry, dryRun: false });
  expect(new Set((await run()).tools.map(({ action }) => action))).toEqual(new Set(['unchanged']));
  const confirmed = await run({ requireConfirmation: 'always', operations: ['listPets', 'noSuch'] });
  expect(confirmed).toMatchObject({
    tools: [{ key: 'zoo_listPets', action: 'update', version: 2 }],
    skipped: [{ operationId: 'noSuch', reasons: ['is not in the document'] }],
  });
});

it('a document that cannot be had or read is refused with the reason', async () => {
  const refusal = (document: string) => renewed.raw('POST', PATH, { document });
  for (const [document, detail] of [
    [`${files.url}/none.yaml`, 'answered 404'],
    [`${files.url}/huge.json`, 'sent more than'],
    ['http://169.254.169.254/openapi.json', 'not on the public internet'],
    ['http://127.0.0.1:9/openapi.json', 'could not be reached'],
    ['nothing of the kind', 'no OpenAPI'],
  ] as const)
    expect(await refusal(document)).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        detail: expect.stringContaining(detail),
        errors: [{ path: 'document' }],
      },
    });
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`/p${index}`, { get: {} }]));
  expect(await renewed.raw('POST', PATH, { document: { openapi: '3.1.0', paths: many } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'operations' }] },
  });
});

it("another tenant's import is its own, and an end user has none", async () => {
  const other = await plinth().addBusiness({ key: 'globex', tools: tools(plinth().jobs.url) });
  const body = {
    document: PETSTORE,
    auth: { key: { secret: 'PETS' } },
    prefix: 'zoo',
    operations: ['listPets'],
  };
  expect(await other.call('POST', PATH, body)).toMatchObject({ tools: [{ action: 'create', version: 1 }] });
  const { token } = await other.call<{ token: string }>('POST', '/v1/session-tokens', { endUserId: 'eve' });
  expect(await plinth().as(token).raw('POST', PATH, body)).toMatchObject({ status: 403 });
});
