import { createHmac } from 'node:crypto';
import { scripted } from '@plinth/model-sim';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { object, withPlinth } from './with-plinth.js';

const SECRET = 'a secret of both sides';
const plinth = withPlinth({}, (jobs) => [
  {
    key: 'sign',
    title: 'Sign',
    description: 'Signs something.',
    parameters: object({ what: { type: 'string' } }),
    executor: {
      kind: 'remote',
      url: `${jobs}/sign`,
      signature: { header: 'x-hub-signature-256', secret: 'JOBS_KEY' },
    },
  },
]);

beforeAll(() => plinth().backend.call('PUT', '/v1/secrets/JOBS_KEY', { value: SECRET }));
beforeEach(() => {
  plinth().sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'sign', arguments: { what: 'a letter' } }] }, { text: 'Done.' }]),
  ]);
});

async function signing() {
  const ada = await plinth().session('ada');
  const run = await ada.start('sign it');
  const dispatch = await plinth().jobs.dispatchOf(run.runId);
  await ada.parkedOn(run.messageId, 'sign');
  return { ada, run, dispatch };
}

/** Not as JSON.stringify would write it: what is signed is what was sent. */
const BODY = '{ "status":"succeeded",  "result": "Grüße" }';
const signatureOf = (body: string, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

async function post(
  url: string,
  body: string,
  signature?: string,
): Promise<{ status: number; code?: string }> {
  const headers = {
    'content-type': 'application/json',
    ...(signature === undefined ? {} : { 'x-hub-signature-256': signature }),
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  const { code } = (await response.json()) as { code?: string };
  return code === undefined ? { status: response.status } : { status: response.status, code };
}

it('a callback that is not signed, or by somebody else, or for another body, is refused and changes nothing', async () => {
  const { ada, run, dispatch } = await signing();
  const refused = { status: 403, code: 'forbidden' };
  expect(await post(dispatch.callbackUrl, BODY)).toEqual(refused);
  expect(await post(dispatch.callbackUrl, BODY, signatureOf(BODY, 'another'))).toEqual(refused);
  expect(await post(dispatch.callbackUrl, BODY, signatureOf(`${BODY} `))).toEqual(refused);
  expect((await ada.message(run.messageId)).interrupts).toMatchObject([{ state: 'open' }]);

  expect(await post(dispatch.callbackUrl, BODY, signatureOf(BODY))).toEqual({ status: 200 });
  expect(await ada.ended(run.messageId)).toMatchObject({ calls: [{ status: 'succeeded' }] });
});

it('progress has to be signed as well', async () => {
  const { dispatch } = await signing();
  const url = dispatch.progressUrl ?? '';
  const body = '{"progress":0.5}';
  expect((await post(url, body)).status).toBe(403);
  expect((await post(url, body, signatureOf(body))).status).toBe(202);
});

it('a secret that was deleted lets nothing through, and the answer says what to do', async () => {
  const { dispatch } = await signing();
  await plinth().backend.call('DELETE', '/v1/secrets/JOBS_KEY');
  const response = await fetch(dispatch.callbackUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(BODY) },
    body: BODY,
  });
  expect(await response.json()).toMatchObject({
    code: 'forbidden',
    detail: expect.stringContaining('Store it again'),
  });
  await plinth().backend.call('PUT', '/v1/secrets/JOBS_KEY', { value: SECRET });
});
