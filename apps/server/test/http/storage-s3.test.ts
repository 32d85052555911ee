import { scripted } from '@plinth/model-sim';
import { afterAll, expect, it } from 'vitest';
import { startS3Peer } from '../s3-peer.js';
import { withPlinth } from './with-plinth.js';

const peer = await startS3Peer();
const plinth = withPlinth({
  PLINTH_STORAGE: 's3',
  PLINTH_S3_ENDPOINT: peer.endpoint,
  PLINTH_S3_BUCKET: peer.bucket,
  PLINTH_S3_PREFIX: 'plinth',
  PLINTH_S3_ACCESS_KEY_ID: peer.credentials.accessKeyId,
  PLINTH_S3_SECRET_ACCESS_KEY: peer.credentials.secretAccessKey,
});
afterAll(() => peer.close());

it('an artifact that a job brings lies in the bucket under its tenant, and is read from there', async () => {
  const { sim, jobs, session, url } = plinth();
  sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'order', arguments: { subject: 'text' } }] }, { text: 'Done.' }]),
  ]);
  const ada = await session('ada');
  const run = await ada.start('a text, please');
  const dispatch = await jobs.dispatchOf(run.runId);
  const file = { name: 'text.txt', base64: Buffer.from('brought by a job').toString('base64') };
  await jobs.finish(dispatch, { status: 'succeeded', result: null, files: [file] });
  const view = await ada.ended(run.messageId);
  const { contentUrl } = await ada.call<{ contentUrl: string }>(
    'GET',
    `/v1/artifacts/${view.artifacts[0]?.id}`,
  );
  expect(await (await fetch(`${url}${contentUrl}`)).text()).toBe('brought by a job');
  expect(await peer.keys()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^plinth\/ten_\w+\/[0-9a-f]{2}\/[0-9a-f]{64}$/)]),
  );
});
