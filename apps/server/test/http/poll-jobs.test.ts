import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { until } from '@plinth/testkit/system';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { object, withPlinth } from './with-plinth.js';

/** A service that says how its jobs are, and never calls back. */
let service: Server;
let answers: Record<string, JsonObject | number>;
let asked: string[];
let statusUrl = '';

beforeAll(async () => {
  service = createServer((request, response) => {
    const id = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    asked.push(id);
    const answer = answers[id] ?? 404;
    if (typeof answer === 'number') return void response.writeHead(answer).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  statusUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/jobs/{jobId}`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

const plinth = withPlinth({}, (jobs) => [
  {
    key: 'bake',
    title: 'Bake',
    description: 'Bakes something.',
    parameters: object({ what: { type: 'string' } }),
    executor: {
      kind: 'remote',
      url: `${jobs}/bake`,
      poll: {
        url: statusUrl,
        intervalSeconds: 1,
        maxIntervalSeconds: 1,
        jobIdPointer: '/job/id',
        silenceSeconds: 5,
      },
    },
  },
]);

beforeEach(() => {
  answers = {};
  asked = [];
  plinth().jobs.react = async ({ callId }) => ({ status: 202, body: { job: { id: `job of ${callId}` } } });
  plinth().sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'bake', arguments: { what: 'bread' } }] }, { text: 'Done.' }]),
  ]);
});

async function baking() {
  const ada = await plinth().session('ada');
  const run = await ada.start('bake it');
  const dispatch = await plinth().jobs.dispatchOf(run.runId);
  await ada.parkedOn(run.messageId, 'bake');
  return {
    ada,
    run,
    dispatch,
    id: `job of ${dispatch.callId}`,
    ended: () => ada.ended(run.messageId, 30_000),
  };
}

it('a job whose service never calls back ends with what it says when it is asked', async () => {
  const { ada, run, id, ended } = await baking();
  answers[id] = { status: 'busy', progress: 0.25 };
  await until('a look', () => asked.includes(id));
  const file = { name: 'bread.txt', base64: Buffer.from('a loaf').toString('base64') };
  answers[id] = { status: 'succeeded', result: { loaves: 2 }, files: [file] };
  expect(await ended()).toMatchObject({
    calls: [{ status: 'succeeded' }],
    interrupts: [{ state: 'answered', answeredBy: { kind: 'remote', id: 'poll' } }],
    artifacts: [{ title: 'bread.txt' }],
  });
  const shown = (await ada.stream(run.messageId)).filter(({ type }) => type === 'tool.progress');
  expect(shown).toMatchObject([{ progress: 0.25 }]);
});

it('a job that failed tells the model why', async () => {
  const { id, ended } = await baking();
  answers[id] = { status: 'failed', error: { code: 'no_flour', message: 'There is no flour.' } };
  expect(await ended()).toMatchObject({
    calls: [{ status: 'failed', error: { code: 'no_flour', message: 'There is no flour.' } }],
  });
});

it('a callback that is quicker is the answer, and nobody asks any more', async () => {
  const { dispatch, ended, id } = await baking();
  answers[id] = { status: 'busy' };
  await until('a look', () => asked.includes(id));
  expect((await plinth().jobs.finish(dispatch, { status: 'succeeded', result: 'called back' })).status).toBe(
    200,
  );
  expect(await ended()).toMatchObject({ interrupts: [{ answeredBy: { id: 'callback' } }] });
  answers[id] = { status: 'failed', error: 'too late' };
  const { adminUrl } = plinth();
  await until('the row is gone', async () => (await rows(adminUrl)) === 0);
});

it('a callback that is slower is told who was first', async () => {
  const { dispatch, ended, id } = await baking();
  answers[id] = { status: 'succeeded', result: 'asked' };
  expect(await ended()).toMatchObject({ calls: [{ status: 'succeeded' }] });
  expect(await plinth().jobs.finish(dispatch)).toMatchObject({
    status: 409,
    body: { code: 'interrupt_already_answered' },
  });
});

it('a service that gives no usable answer for too long: the job is given up, and it is said that nobody knows', async () => {
  const { ended, id } = await baking();
  answers[id] = 500;
  expect(await ended()).toMatchObject({
    calls: [
      { status: 'failed', error: { code: 'job_lost', message: expect.stringContaining('answers 500') } },
    ],
  });
});

it('a service that does not say the id of its job is told of by the call', async () => {
  plinth().jobs.react = async () => ({ status: 202, body: { accepted: true } });
  const ada = await plinth().session('ada');
  const run = await ada.start('bake it');
  expect(await ada.ended(run.messageId)).toMatchObject({
    calls: [{ status: 'failed', error: { code: 'bad_job_response' } }],
  });
});

it('a cancelled run is not asked about any more', async () => {
  const { ada, run, id } = await baking();
  answers[id] = { status: 'busy' };
  await until('a look', () => asked.includes(id));
  await ada.call('POST', `/v1/runs/${run.runId}/cancel`);
  await ada.ended(run.messageId);
  await until('the row is gone', async () => (await rows(plinth().adminUrl)) === 0);
});

async function rows(adminUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return (await client.query('SELECT count(*)::int AS n FROM remote_job')).rows[0].n;
  } finally {
    await client.end();
  }
}
