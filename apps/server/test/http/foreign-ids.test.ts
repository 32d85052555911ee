import type { JsonObject } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { askingModel, tools, withPlinth } from './with-plinth.js';

const plinth = withPlinth();

interface ApiDocument {
  paths: Record<
    string,
    Record<string, { security: object[]; parameters?: { in: string; name: string }[]; requestBody?: unknown }>
  >;
}

/** A body that each endpoint with one accepts, so that the id alone decides. */
const BODIES: Record<string, JsonObject> = {
  startInThreadRuns: { agent: 'tester', input: { text: 'hello' }, endUserId: 'ada' },
  retryRuns: {},
  answerInterrupts: { requestId: 'request-foreign', answer: { type: 'submit', value: { answer: 'mine' } } },
  leaseInterrupts: { clientId: 'page-of-a-stranger' },
  resultCallbacks: { status: 'succeeded', result: null },
  progressCallbacks: { progress: 0.5 },
};

let ids: Record<string, string>;
let ada: ApiClient;

/** A signed URL is the credential, whoever calls it: one that is not theirs opens nothing, and an unsigned one neither. */
const isSigned = (path: string) => path.includes('/content') || path.startsWith('/v1/images/');

/** Every endpoint of the document that takes an id, with Ada's ids in place. */
async function endpointsWithIds(): Promise<
  { name: string; method: string; path: string; body: JsonObject | undefined; isPublic: boolean }[]
> {
  const document = (await (await fetch(`${plinth().url}/openapi.json`)).json()) as ApiDocument;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const inQuery =
        operation.parameters
          ?.filter((one) => one.in === 'query' && one.name in ids)
          .map(({ name }) => `${name}=${ids[name]}`) ?? [];
      // A key is no id: the same one names each tenant's own. See skills.test.ts.
      if (path.includes('{key}')) return [];
      if (!path.includes('{') && inQuery.length === 0) return [];
      // A secret's name is the caller's own, not an id: secrets.test.ts has its rules.
      if (path.startsWith('/v1/secrets/')) return [];
      // For operations staff alone: each such endpoint has a test of its own.
      if (operation.security.some((way) => 'apiKey' in way) && operation.security.length === 1) return [];
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'no-such-id');
      const { operationId } = operation as unknown as { operationId: string };
      return [
        {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path: inQuery.length > 0 ? `${filled}?${inQuery.join('&')}` : filled,
          body: operation.requestBody ? BODIES[operationId] : undefined,
          isPublic: operation.security.length === 0,
        },
      ];
    }),
  );
}

beforeAll(async () => {
  plinth().sim.setScenarios([askingModel]);
  const minted = await plinth().backend.call<{ token: string }>('POST', '/v1/session-tokens', {
    endUserId: 'ada',
    scopes: ['debug'],
  });
  ada = plinth().as(minted.token);
  const run = await ada.start('hello');
  const interrupt = await ada.parkedOn(run.messageId, 'ask');
  const database = new pg.Client({ connectionString: plinth().adminUrl });
  await database.connect();
  const artifactId = 'art_00000000000000000000000001';
  try {
    await database.query(
      `SELECT set_config('plinth.tenant', (SELECT id FROM tenant WHERE key = 'acme'), false)`,
    );
    await database.query(
      `INSERT INTO artifact (tenant_id, id, thread_id, end_user_id, kind, mime_type, title, version, storage_key, size_bytes, sha256, open, created_at)
       SELECT tenant_id, $1, id, end_user_id, 'file', 'text/plain', 'a.txt', 1, 'none', 1, 'none', 'auto', now() FROM thread WHERE id = $2`,
      [artifactId, run.threadId],
    );
  } finally {
    await database.end();
  }
  // Hers, so that not even they tell another one anything.
  for (const name of ['moveHeadBranches', 'forkBranches']) BODIES[name] = { messageId: run.userMessageId };
  ids = {
    threadId: run.threadId,
    userMessageId: run.userMessageId,
    runId: run.runId,
    messageId: run.messageId,
    interruptId: interrupt.id,
    artifactId,
    token: 'cbt_unknown',
    turn: '0',
  };
});

it('every endpoint that takes an id answers 404 to another tenant, and to another end user of the same tenant', async () => {
  const other = await plinth().addBusiness({ key: 'globex', tools: tools(plinth().jobs.url) });
  const eve = await plinth().session('eve');
  const endpoints = await endpointsWithIds();
  expect(endpoints.length).toBeGreaterThanOrEqual(12);
  for (const { name, method, path, body, isPublic } of endpoints) {
    for (const [who, client] of Object.entries({ other, eve })) {
      const withoutOwner = who === 'eve' && body ? { ...body, endUserId: undefined } : body;
      const { status } = await client.raw(method, path, withoutOwner);
      expect({ name, who, status }).toEqual({ name, who, status: isPublic && isSigned(path) ? 403 : 404 });
    }
  }
});

it('the same endpoints do answer their owner, so the 404 above is about whose they are', async () => {
  for (const { name, method, path } of await endpointsWithIds()) {
    if (method !== 'GET' || isSigned(path) || path.includes('/events')) continue;
    expect({ name, ...(await ada.raw(method, path)) }).toMatchObject({ status: 200 });
  }
});

it('lists show a person their own rows only, and a back end those of its tenant only', async () => {
  const eve = await plinth().session('eve');
  const other = await plinth().addBusiness({ key: 'initech', tools: tools(plinth().jobs.url) });
  for (const path of ['/v1/threads', '/v1/runs']) {
    expect(await eve.call('GET', path)).toMatchObject({ items: [] });
    expect(await other.call('GET', path)).toMatchObject({ items: [] });
    expect(await plinth().backend.call<{ items: unknown[] }>('GET', path)).toMatchObject({
      items: [expect.anything()],
    });
  }
});

it('an own thread or run does not open what is not of it: messages and threads of others are not found', async () => {
  const eve = await plinth().session('eve-with-a-thread');
  const own = await eve.start('hello');
  await eve.parkedOn(own.messageId, 'ask');
  const { threadId, userMessageId } = ids;
  for (const what of ['head', 'fork']) {
    expect(
      await eve.raw('POST', `/v1/threads/${own.threadId}/${what}`, { messageId: userMessageId }),
    ).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect(await eve.raw('POST', `/v1/runs/${own.runId}/retry`, { threadId })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
});
