import { scripted } from '@plinth/model-sim';
import type { ArtifactVersionView, ArtifactView, JsonObject, MessageView, Page } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { withPlinth } from './with-plinth.js';

const builtin = (name: string): JsonObject => ({ key: name, executor: { kind: 'builtin', name } });
/** Some of these are four runs one after the other. */
vi.setConfig({ testTimeout: 120_000 });

const plinth = withPlinth({}, () => ['get_artifact', 'write_document', 'edit_document'].map(builtin));
const PLAN = '# Plan\n\n- Monday: tea\n- Tuesday: rest\n';

let ada: ApiClient;
beforeAll(async () => {
  ada = await plinth().session('ada');
}, 120_000);

interface Told {
  view: MessageView;
  threadId: string;
  /** What the model reads as the result. */
  told: JsonObject & { result?: JsonObject; error?: JsonObject };
}

/** A run in which the model makes one call. */
async function call(name: string, values: JsonObject, threadId?: string, who = ada): Promise<Told> {
  plinth().sim.setScenarios([scripted([{ toolCalls: [{ name, arguments: values }] }, { text: 'Done.' }])]);
  const run = await who.start('go on', threadId === undefined ? {} : { threadId });
  const view = await who.ended(run.messageId);
  const body = JSON.parse(plinth().sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string }[];
  };
  const content = body.messages.findLast(({ role }) => role === 'tool')?.content ?? '{}';
  return { view, threadId: run.threadId, told: JSON.parse(content) as Told['told'] };
}

async function written(): Promise<{ id: string; threadId: string }> {
  const { view, threadId } = await call('write_document', { title: 'plan.md', content: PLAN });
  return { id: view.artifacts[0]?.id ?? 'none', threadId };
}

const read = (id: string) => ada.call<ArtifactView & { contentUrl: string }>('GET', `/v1/artifacts/${id}`);

const contentOf = async (id: string): Promise<string> =>
  (await fetch(`${plinth().url}${(await read(id)).contentUrl}`)).text();

async function saveByPerson(id: string, baseVersion: number, body: string): Promise<void> {
  const response = await fetch(`${plinth().url}/v1/artifacts/${id}/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ada.credential}`, 'if-match': `"${baseVersion}"` },
    body,
  });
  expect(response.status).toBe(200);
}

describe('a document that the model writes', () => {
  it('is an artifact of what its name and its text say, and the model knows its id and version', async () => {
    const { view, told } = await call('write_document', { title: 'plan.md', content: PLAN });
    expect(view.artifacts).toMatchObject([
      { title: 'plan.md', kind: 'document', mimeType: 'text/markdown', version: 1 },
    ]);
    expect(told).toMatchObject({ result: { version: 1 }, artifacts: [{ id: view.artifacts[0]?.id }] });
    const table = await call('write_document', { title: 'prices.csv', content: 'a,b\n1,2\n' });
    expect(table.view.artifacts).toMatchObject([{ kind: 'table', mimeType: 'text/csv' }]);
    const unnamed = await call('write_document', { title: 'Notes', content: 'One.' });
    expect(unnamed.view.artifacts).toMatchObject([{ kind: 'document', mimeType: 'text/markdown' }]);
  });

  it('is replaced on the version that the model knows, and the version says which call has made it', async () => {
    const { id, threadId } = await written();
    const { view, told } = await call('write_document', { id, baseVersion: 1, content: '# New\n' }, threadId);
    expect(told.result).toMatchObject({ id, version: 2 });
    expect(await contentOf(id)).toBe('# New\n');
    const { items } = await ada.call<Page<ArtifactVersionView>>('GET', `/v1/artifacts/${id}/versions`);
    expect(items[0]?.author).toEqual({ kind: 'model', runId: view.runId, callId: view.calls[0]?.callId });
  });

  it('is edited at the places that the model names, all of them or none', async () => {
    const { id, threadId } = await written();
    const edits = [
      { find: 'Monday: tea', replace: 'Monday: coffee' },
      { find: '- Tuesday: rest\n', replace: '' },
    ];
    await call('edit_document', { id, baseVersion: 1, edits }, threadId);
    expect(await contentOf(id)).toBe('# Plan\n\n- Monday: coffee\n');
    const bad = [
      { find: 'coffee', replace: 'tea' },
      { find: 'Sunday', replace: 'Friday' },
    ];
    const { view } = await call('edit_document', { id, baseVersion: 2, edits: bad }, threadId);
    expect(view.calls).toMatchObject([{ status: 'failed', error: { code: 'text_not_found' } }]);
    expect((await read(id)).version).toBe(2);
  });

  it('that the person has changed meanwhile is not overwritten: the model is told, reads it, and goes on from there', async () => {
    const { id, threadId } = await written();
    await saveByPerson(id, 1, `${PLAN}- Friday: party\n`);
    const edits = [{ find: 'tea', replace: 'coffee' }];
    for (const [name, values] of [
      ['edit_document', { id, baseVersion: 1, edits }],
      ['write_document', { id, baseVersion: 1, content: 'gone' }],
    ] as const) {
      const { told } = await call(name, values, threadId);
      expect(told.error).toMatchObject({
        code: 'document_changed',
        message: expect.stringMatching(/The user has changed it.*version 2.*Read/),
      });
    }
    const seen = await call('get_artifact', { id }, threadId);
    expect(seen.told.result).toMatchObject({
      version: 2,
      changed: expect.stringContaining('since your version 1'),
    });
    await call('edit_document', { id, baseVersion: 2, edits }, threadId);
    expect(await contentOf(id)).toBe(`${PLAN.replace('tea', 'coffee')}- Friday: party\n`);
    const again = await call('get_artifact', { id }, threadId);
    expect(again.told.result).toMatchObject({ version: 3 });
    expect(again.told.result).not.toHaveProperty('changed');
  });

  it('of another conversation, another end user or another tenant is not there for it', async () => {
    const { id } = await written();
    const bob = await plinth().session('bob');
    for (const who of [ada, bob]) {
      const { view } = await call(
        'write_document',
        { id, baseVersion: 1, content: 'stolen' },
        undefined,
        who,
      );
      expect(view.calls).toMatchObject([{ error: { code: 'artifact_not_found' } }]);
    }
    const other = await plinth().addBusiness({ key: 'globex', tools: [builtin('edit_document')] });
    const minted = await other.call<{ token: string }>('POST', '/v1/session-tokens', { endUserId: 'ada' });
    const edits = [{ find: 'tea', replace: 'x' }];
    const { view } = await call(
      'edit_document',
      { id, baseVersion: 1, edits },
      undefined,
      plinth().as(minted.token),
    );
    expect(view.calls).toMatchObject([{ error: { code: 'artifact_not_found' } }]);
    expect(await contentOf(id)).toBe(PLAN);
  });

  it('arguments that it cannot take are told, with the field', async () => {
    const { id, threadId } = await written();
    for (const [values, field] of [
      [{ content: 'x' }, 'title'],
      [{ id, content: 'x' }, 'baseVersion'],
    ] as const) {
      const { told } = await call('write_document', values, threadId);
      expect(told.error).toMatchObject({
        code: 'invalid_arguments',
        message: expect.stringContaining(field),
      });
    }
  });
});
