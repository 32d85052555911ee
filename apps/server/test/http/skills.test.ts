import type { SkillView } from '@plinth/protocol';
import { expect, it } from 'vitest';
import { tools, withPlinth } from './with-plinth.js';

const plinth = withPlinth();
const wording = { description: 'How posters are worded', content: '# Wording\n\nShort.' };

it('a back end stores, reads and lists skills; the same again adds no version', async () => {
  const { backend } = plinth();
  const stored = await backend.call<SkillView>('PUT', '/v1/skills/wording', wording);
  expect(stored).toMatchObject({ key: 'wording', version: 1, changed: true, ...wording });
  expect(await backend.call('PUT', '/v1/skills/wording', wording)).toMatchObject({
    version: 1,
    changed: false,
  });
  expect(await backend.call('PUT', '/v1/skills/wording', { ...wording, content: 'Shorter.' })).toMatchObject({
    version: 2,
  });
  expect(await backend.call('GET', '/v1/skills/wording?version=1')).toMatchObject(wording);
  const listed = await backend.call<{ items: object[] }>('GET', '/v1/skills');
  expect(listed).toMatchObject({ items: [{ key: 'wording', version: 2 }], nextCursor: null });
  expect(listed.items[0]).not.toHaveProperty('content');
});

it('a skill of another tenant is not there, and storing the same key makes one of its own', async () => {
  await plinth().backend.call('PUT', '/v1/skills/secret', wording);
  const other = await plinth().addBusiness({ key: 'globex', tools: tools(plinth().jobs.url) });
  expect(await other.raw('GET', '/v1/skills/secret')).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect(await other.raw('GET', '/v1/skills')).toMatchObject({ body: { items: [] } });
  expect(await other.call('PUT', '/v1/skills/secret', { ...wording, content: 'Ours.' })).toMatchObject({
    version: 1,
  });
  expect(await plinth().backend.call('GET', '/v1/skills/secret')).toMatchObject(wording);
});

it('an end user may not read or store skills', async () => {
  const ada = await plinth().session('ada');
  for (const [method, path, body] of [
    ['GET', '/v1/skills', undefined],
    ['GET', '/v1/skills/wording', undefined],
    ['PUT', '/v1/skills/wording', wording],
  ] as const)
    expect(await ada.raw(method, path, body)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});

it('what is wrong is refused, naming the field', async () => {
  const { backend } = plinth();
  expect(await backend.raw('PUT', '/v1/skills/No%20Key', wording)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'key' }] },
  });
  expect(await backend.raw('PUT', '/v1/skills/wording', { ...wording, description: 'a\nb' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'description' }] },
  });
});
