import { expect, it } from 'vitest';
import { tools, withPlinth } from './with-plinth.js';

const plinth = withPlinth();
const VALUE = 'sesame-open-the-door';

it('a secret is stored, listed by name, replaced and deleted, and its value is in no answer', async () => {
  const { backend } = plinth();
  const answers = [
    await backend.raw('PUT', '/v1/secrets/CRM_TOKEN', { value: VALUE }),
    await backend.raw('PUT', '/v1/secrets/CRM_TOKEN', { value: `${VALUE}-2` }),
    await backend.raw('GET', '/v1/secrets'),
    await backend.raw('DELETE', '/v1/secrets/CRM_TOKEN'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers[2]?.body).toMatchObject({ items: [{ name: 'CRM_TOKEN' }], nextCursor: null });
  expect(JSON.stringify(answers)).not.toContain(VALUE);
  expect(await backend.raw('DELETE', '/v1/secrets/CRM_TOKEN')).toMatchObject({ status: 404 });
  expect(await backend.call('GET', '/v1/secrets')).toMatchObject({ items: [] });
});

it('what cannot be a name or a value is refused, and the value is not repeated', async () => {
  const { backend } = plinth();
  for (const [name, body] of [
    ['no-dashes', { value: VALUE }],
    ['1ST', { value: VALUE }],
    ['x'.repeat(65), { value: VALUE }],
    ['OK', { value: '' }],
    ['OK', { value: VALUE.repeat(1000) }],
    ['OK', { value: VALUE, more: VALUE }],
    ['OK', { value: [VALUE] }],
  ] as const) {
    const refusal = await backend.raw('PUT', `/v1/secrets/${name}`, body);
    expect(refusal).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(JSON.stringify(refusal)).not.toContain(VALUE);
  }
  expect(await backend.call('GET', '/v1/secrets')).toMatchObject({ items: [] });
});

it('another tenant has its own names, and an end user none at all', async () => {
  const { backend, addBusiness, session, jobs } = plinth();
  await backend.call('PUT', '/v1/secrets/SHARED_NAME', { value: VALUE });
  const other = await addBusiness({ key: 'globex', tools: tools(jobs.url) });
  expect(await other.call('GET', '/v1/secrets')).toMatchObject({ items: [] });
  expect(await other.raw('DELETE', '/v1/secrets/SHARED_NAME')).toMatchObject({ status: 404 });
  await other.call('PUT', '/v1/secrets/SHARED_NAME', { value: 'another' });
  await other.call('DELETE', '/v1/secrets/SHARED_NAME');
  expect(await backend.call('GET', '/v1/secrets')).toMatchObject({ items: [{ name: 'SHARED_NAME' }] });
  const ada = await session('ada');
  for (const [method, path, body] of [
    ['GET', '/v1/secrets', undefined],
    ['PUT', '/v1/secrets/SHARED_NAME', { value: 'hers' }],
    ['DELETE', '/v1/secrets/SHARED_NAME', undefined],
  ] as const)
    expect(await ada.raw(method, path, body)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  await backend.call('DELETE', '/v1/secrets/SHARED_NAME');
});

it('no process writes the value to its log', async () => {
  const { backend, servers } = plinth();
  await backend.call('PUT', '/v1/secrets/LOGGED', { value: VALUE });
  await backend.raw('PUT', '/v1/secrets/LOGGED', { value: VALUE, wrong: VALUE });
  for (const server of servers) expect(server.log).not.toContain(VALUE);
  await backend.call('DELETE', '/v1/secrets/LOGGED');
});
