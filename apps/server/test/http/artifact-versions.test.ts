import { createHash } from 'node:crypto';
import { scripted } from '@plinth/model-sim';
import type { ArtifactVersionView, ArtifactView, Page, Problem, StartRunResponse } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withPlinth } from './with-plinth.js';

vi.setConfig({ testTimeout: 120_000 });

const plinth = withPlinth();
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FIRST = '# Tea\n\nGreen tea.\n';

let ada: ApiClient;
let run: StartRunResponse;
let id: string;

/** A job of Ada's run brings a file. */
async function bring(name: string, base64: string): Promise<ArtifactView> {
  plinth().sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'order', arguments: { subject: 'text' } }] }, { text: 'Done.' }]),
  ]);
  run = await ada.start('a text, please');
  const files = [{ name, base64 }];
  await plinth().jobs.finish(await plinth().jobs.dispatchOf(run.runId), {
    status: 'succeeded',
    result: null,
    files,
  });
  const [artifact] = (await ada.ended(run.messageId)).artifacts;
  if (artifact === undefined) throw new Error('the job brought nothing');
  return artifact;
}

beforeEach(async () => {
  ada = await plinth().session('ada');
  ({ id } = await bring('tea.md', Buffer.from(FIRST).toString('base64')));
}, 60_000);

type Saved = { status: number; body: ArtifactView & Problem; etag: string | null };

async function save(
  who: ApiClient,
  content: string | Uint8Array,
  headers: Record<string, string> = {},
  artifactId = id,
): Promise<Saved> {
  const response = await fetch(`${plinth().url}/v1/artifacts/${artifactId}/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${who.credential}`, ...headers },
    body: content as BodyInit,
    signal: AbortSignal.timeout(20_000),
  });
  const body = (await response.json()) as Saved['body'];
  return { status: response.status, body, etag: response.headers.get('etag') };
}

const on = (version: number, contentType = 'text/markdown') => ({
  'if-match': `"${version}"`,
  'content-type': contentType,
});

const contentOf = async (version?: number): Promise<string> => {
  const query = version === undefined ? '' : `?version=${version}`;
  const { contentUrl } = await ada.call<{ contentUrl: string }>('GET', `/v1/artifacts/${id}${query}`);
  return (await fetch(`${plinth().url}${contentUrl}`)).text();
};

const versionsOf = (query = '') =>
  ada.call<Page<ArtifactVersionView>>('GET', `/v1/artifacts/${id}/versions${query}`);

describe('saving a new version', () => {
  it('makes the next one, and every version before stays what it was', async () => {
    const saved = await save(ada, '# Tea\n\nBlack tea.\n', on(1));
    expect(saved).toMatchObject({
      status: 200,
      etag: '"2"',
      body: { id, version: 2, kind: 'document', mimeType: 'text/markdown', title: 'tea.md' },
    });
    expect([await contentOf(), await contentOf(1), await contentOf(2)]).toEqual([
      '# Tea\n\nBlack tea.\n',
      FIRST,
      '# Tea\n\nBlack tea.\n',
    ]);
    expect((await versionsOf()).items).toMatchObject([
      { version: 2, author: { kind: 'end_user', id: 'ada' }, sizeBytes: 18 },
      { version: 1, author: { kind: 'model', runId: run.runId }, sizeBytes: FIRST.length },
    ]);
    expect(await ada.raw('GET', `/v1/artifacts/${id}?version=3`)).toMatchObject({ status: 404 });
  });

  it('is refused without the version that was changed, and with something that names none', async () => {
    expect(await save(ada, 'x')).toMatchObject({
      status: 428,
      body: { code: 'artifact_revision_required', facts: { version: 1 } },
    });
    for (const tag of ['*', '1', 'W/"1"', '"1", "2"', '"0"', '"-1"', '"99999999999"'])
      expect({ tag, ...(await save(ada, 'x', { 'if-match': tag })) }).toMatchObject({
        tag,
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: 'if-match' }] },
      });
    expect((await versionsOf()).items).toHaveLength(1);
  });

  it('on a version that is not the newest is refused with the newest; nothing is written', async () => {
    const backend = plinth().backend;
    await save(backend, 'by the back end', on(1));
    expect(await save(ada, 'by Ada', on(1))).toMatchObject({
      status: 412,
      body: {
        code: 'artifact_revision_conflict',
        facts: {
          artifact: { id, version: 2, sha256: createHash('sha256').update('by the back end').digest('hex') },
          author: { kind: 'api_key' },
          changedAt: expect.any(String),
        },
      },
    });
    expect(await save(ada, 'from the future', on(7))).toMatchObject({ status: 412 });
    expect(await contentOf()).toBe('by the back end');
  });

  it('of many at once on one version exactly one wins, and the others are told', async () => {
    const writers = Array.from({ length: 8 }, (_, index) => save(ada, `text ${index}`, on(1)));
    const statuses = (await Promise.all(writers)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    expect((await versionsOf()).items.map(({ version }) => version)).toEqual([2, 1]);
  });

  it('the same save again gives the version that it made, also after the next one; unchanged bytes make none', async () => {
    const first = await save(ada, 'once', on(1));
    expect(await save(ada, 'once', on(1))).toEqual(first);
    await save(ada, 'twice', on(2));
    expect(await save(ada, 'once', on(1))).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await save(ada, 'twice', on(3))).toMatchObject({ status: 200, body: { version: 3 } });
    expect((await versionsOf()).items).toHaveLength(3);
  });

  it('of something of another kind is refused, whatever the header says; a JSON body is bytes like any other', async () => {
    const picture = Buffer.from(PNG, 'base64');
    expect(await save(ada, picture, on(1))).toMatchObject({
      status: 422,
      body: { code: 'artifact_kind_mismatch', facts: { kind: 'document' } },
    });
    expect(await save(ada, '{"a":  1}', on(1, 'application/json'))).toMatchObject({ status: 200 });
    expect(await contentOf()).toBe('{"a":  1}');
    ({ id } = await bring('dot.png', PNG));
    expect(await save(ada, '<html></html>', on(1, 'image/png'))).toMatchObject({ status: 422 });
  });

  it('beyond the limit of bytes is refused', async () => {
    const { status, body } = await save(ada, 'x'.repeat(32 * 1024 * 1024 + 1), on(1));
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'body_too_large' });
  });

  it('is told to everybody who follows the thread, once', async () => {
    await save(ada, 'news', on(1));
    await save(ada, 'news', on(1));
    const response = await fetch(`${plinth().url}/v1/threads/${run.threadId}/events`, {
      headers: { authorization: `Bearer ${ada.credential}` },
      signal: AbortSignal.timeout(20_000),
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('artifact.updated')) break;
    }
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '{}'));
    expect(events.filter(({ type }) => type === 'artifact.updated')).toMatchObject([
      { threadId: run.threadId, artifact: { id, version: 2 }, author: { kind: 'end_user', id: 'ada' } },
    ]);
  });
});

describe('the versions of an artifact', () => {
  it('come page by page, newest first', async () => {
    for (const version of [1, 2, 3, 4]) await save(ada, `text ${version}`, on(version));
    const first = await versionsOf('?limit=2');
    const second = await versionsOf(`?limit=2&cursor=${first.nextCursor}`);
    const third = await versionsOf(`?limit=2&cursor=${second.nextCursor}`);
    expect([first, second, third].map(({ items }) => items.map(({ version }) => version))).toEqual([
      [5, 4],
      [3, 2],
      [1],
    ]);
    expect(third.nextCursor).toBeNull();
  });

  it('a signed link opens the version that it was made for, and no other', async () => {
    const { contentUrl } = await ada.call<{ contentUrl: string }>('GET', `/v1/artifacts/${id}`);
    await save(ada, 'newer', on(1));
    expect(await (await fetch(`${plinth().url}${contentUrl}`)).text()).toBe(FIRST);
    const other = contentUrl.replace('version=1', 'version=2');
    expect((await fetch(`${plinth().url}${other}`)).status).toBe(403);
  });

  it('are neither read nor made by another end user or another tenant, whatever they send', async () => {
    const eve = await plinth().session('eve');
    const other = await plinth().addBusiness({ key: 'globex', tools: [] });
    for (const who of [eve, other]) {
      const sent: Record<string, string>[] = [{}, on(1), { 'if-match': '*' }];
      for (const headers of sent)
        expect(await save(who, 'stolen', headers)).toMatchObject({
          status: 404,
          body: { code: 'not_found' },
        });
      for (const path of ['', '?version=1', '/versions'])
        expect(await who.raw('GET', `/v1/artifacts/${id}${path}`)).toMatchObject({ status: 404 });
    }
    expect(await contentOf()).toBe(FIRST);
  });
});
