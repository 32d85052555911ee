import { type Scenario, scripted } from '@plinth/model-sim';
import type { JsonObject, MessageView, StartRunResponse } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { object, withPlinth } from './with-plinth.js';

const builtin: JsonObject = { key: 'get_artifact', executor: { kind: 'builtin', name: 'get_artifact' } };
const report = (jobs: string): JsonObject => ({
  key: 'report',
  title: 'Report',
  description: 'Writes a report.',
  parameters: object({}),
  executor: { kind: 'remote', url: `${jobs}/report` },
});
const plinth = withPlinth({}, (jobs) => [builtin, report(jobs)]);

const ORDERS = { orders: Array.from({ length: 900 }, (_, id) => ({ id, note: `note ${id}` })) };
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A conversation in which a job has left an artifact. */
async function withArtifact(
  who: ApiClient,
  callback: JsonObject = { status: 'succeeded', result: ORDERS },
): Promise<{ run: StartRunResponse; artifactId: string }> {
  plinth().sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'report', arguments: {} }] }, { text: 'Done.' }]),
  ]);
  const run = await who.start('write it');
  await plinth().jobs.finish(await plinth().jobs.dispatchOf(run.runId), callback);
  const [artifact] = (await who.ended(run.messageId)).artifacts;
  return { run, artifactId: artifact?.id ?? 'none' };
}

const READ_IT = 'read it';

/** A model that calls it once for each `read it`: what a result shows stands in a message of the user behind it. */
const readingModel = (values: JsonObject): Scenario => ({
  name: 'reading',
  matches: () => true,
  reply({ request: { messages } }) {
    const asked = messages.findLastIndex(({ role, content }) => role === 'user' && content === READ_IT);
    const isTold = messages.slice(asked).some(({ role }) => role === 'tool');
    return isTold ? { text: 'Read.' } : { toolCalls: [{ name: 'get_artifact', arguments: values }] };
  },
});

/** What the model is told when it calls `get_artifact` in a thread. */
async function read(
  who: ApiClient,
  values: JsonObject,
  threadId?: string,
): Promise<{ view: MessageView; told: JsonObject }> {
  plinth().sim.setScenarios([readingModel(values)]);
  const run = await who.start(READ_IT, threadId === undefined ? {} : { threadId });
  const view = await who.ended(run.messageId);
  const body = JSON.parse(plinth().sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string }[];
  };
  const content = body.messages.findLast(({ role }) => role === 'tool')?.content ?? '{}';
  return { view, told: JSON.parse(content) as JsonObject };
}

it('the model reads what was cut, from the artifact that the result names', async () => {
  const ada = await plinth().session('ada');
  const { run, artifactId } = await withArtifact(ada);
  expect(plinth().sim.requests.at(-1)?.raw).toContain(
    `the full result is artifact ${artifactId}, read it with \`get_artifact\``,
  );
  const { told } = await read(
    ada,
    { id: artifactId, query: '/orders', range: { from: 700, to: 702 } },
    run.threadId,
  );
  expect(told).toMatchObject({
    result: {
      id: artifactId,
      items: [
        { id: 700, note: 'note 700' },
        { id: 701, note: 'note 701' },
      ],
      from: 700,
      of: 900,
    },
  });
});

it('a fork reads the artifacts of the path that it shares', async () => {
  const ada = await plinth().session('ada');
  const { run, artifactId } = await withArtifact(ada);
  const { messageId } = run;
  const fork = await ada.call<{ id: string }>('POST', `/v1/threads/${run.threadId}/fork`, { messageId });
  const { told } = await read(ada, { id: artifactId, query: '/orders/5/id' }, fork.id);
  expect(told).toMatchObject({ result: { value: 5 } });
});

it('an artifact of another thread, another end user or another tenant is not there for the model', async () => {
  const { session, addBusiness, jobs } = plinth();
  const ada = await session('ada');
  const { artifactId } = await withArtifact(ada);
  const bob = await session('bob');
  const backend = await addBusiness({ key: 'globex', tools: [builtin, report(jobs.url)] });
  const minted = await backend.call<{ token: string }>('POST', '/v1/session-tokens', { endUserId: 'ada' });
  const foreign = [ada, bob, plinth().as(minted.token)];
  for (const who of foreign) {
    const { view, told } = await read(who, { id: artifactId });
    expect(view.calls).toMatchObject([{ status: 'failed', error: { code: 'artifact_not_found' } }]);
    expect(told).toMatchObject({ error: { message: expect.stringContaining(artifactId) } });
    expect(JSON.stringify(told)).not.toContain('note 7');
  }
});

it('a picture is shown, with a note that refers to it', async () => {
  const ada = await plinth().session('ada');
  const { run, artifactId } = await withArtifact(ada, {
    status: 'succeeded',
    result: 'drawn',
    files: [{ name: 'dot.png', base64: PNG }],
  });
  const { told } = await read(ada, { id: artifactId }, run.threadId);
  expect(told).toMatchObject({
    result: { title: 'dot.png', kind: 'image', note: expect.stringContaining('behind the results') },
  });
});

it('arguments that the tool cannot take are told, with the field', async () => {
  const ada = await plinth().session('ada');
  const { told } = await read(ada, { id: 'art_1', page: 0 });
  expect(told).toMatchObject({
    error: { code: 'invalid_arguments', message: expect.stringContaining('page') },
  });
});
