import { scripted } from '@plinth/model-sim';
import { beforeAll, expect, it } from 'vitest';
import { withPlinth } from './with-plinth.js';

const plinth = withPlinth();
const BYTES = Buffer.from('0123456789, a text that a job has brought');
let url = '';

beforeAll(async () => {
  const { sim, jobs, session } = plinth();
  sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'order', arguments: { subject: 'text' } }] }, { text: 'Done.' }]),
  ]);
  const ada = await session('ada');
  const run = await ada.start('a text, please');
  const dispatch = await jobs.dispatchOf(run.runId);
  const file = { name: 'text.txt', base64: BYTES.toString('base64') };
  await jobs.finish(dispatch, { status: 'succeeded', result: null, files: [file] });
  const view = await ada.ended(run.messageId);
  const { contentUrl } = await ada.call<{ contentUrl: string }>(
    'GET',
    `/v1/artifacts/${view.artifacts[0]?.id}`,
  );
  url = `${plinth().url}${contentUrl}`;
}, 60_000);

const read = async (headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  const text = await response.text();
  const { status } = response;
  return {
    status,
    text,
    range: response.headers.get('content-range'),
    etag: response.headers.get('etag') ?? '',
  };
};

it('the whole is served to whoever asks for no part, and says that parts may be asked for', async () => {
  expect(await read()).toMatchObject({ status: 200, text: BYTES.toString(), range: null });
  expect((await fetch(url)).headers.get('accept-ranges')).toBe('bytes');
});

it('a part is served as one, with its place in the whole', async () => {
  const of = BYTES.length;
  expect(await read({ range: 'bytes=2-4' })).toMatchObject({
    status: 206,
    text: '234',
    range: `bytes 2-4/${of}`,
  });
  expect(await read({ range: 'bytes=-7' })).toMatchObject({ status: 206, text: 'brought' });
});

it('a part beyond the end is refused with the size; one of another version is answered with the whole', async () => {
  expect(await read({ range: 'bytes=5000-' })).toMatchObject({
    status: 416,
    range: `bytes */${BYTES.length}`,
  });
  const { etag } = await read();
  expect((await read({ range: 'bytes=0-0', 'if-range': etag })).status).toBe(206);
  expect((await read({ range: 'bytes=0-0', 'if-range': '"other"' })).status).toBe(200);
});
