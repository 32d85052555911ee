import { describe, expect, test } from 'vitest';
import { accepted, refused } from './validation-checks.test-support.js';

const user = { role: 'user', content: 'hello' };
const call = (id: string, name = 'look_up', args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const asks = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' });
const image = (url: string) => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] });
const dataUrl = (type: string, head: number[]) =>
  `data:${type};base64,${Buffer.from([...head, ...new Array(24).fill(0)]).toString('base64')}`;
const PNG_HEAD = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

describe('images', () => {
  test('png, jpeg, gif, webp and web addresses are taken', () => {
    accepted([
      image(dataUrl('image/png', PNG_HEAD)),
      image(dataUrl('image/jpeg', [0xff, 0xd8, 0xff, 0xe0])),
      image(dataUrl('image/gif', [...Buffer.from('GIF89a')])),
      image(dataUrl('image/webp', [...Buffer.from('RIFF....WEBP')])),
      image('https://example.com/a.png'),
    ]);
  });
  test('another type is refused', () => {
    expect(refused([image(dataUrl('image/svg+xml', [...Buffer.from('<svg')]))])).toMatchObject({
      status: 400,
      code: 'invalid_image_format',
    });
  });
  test('bytes that are not what the type says are refused', () => {
    expect(refused([image(dataUrl('image/png', [...Buffer.from('II*\0')]))]).code).toBe(
      'invalid_image_format',
    );
  });
  test('a storage key is no address', () => {
    expect(refused([image('artifacts/a.png')])).toMatchObject({
      param: 'messages[0].content[0].image_url.url',
    });
  });
  test('only a user message may carry an image', () => {
    const parts = image('https://example.com/a.png').content;
    expect(refused([user, asks(call('a')), { ...result('a'), content: parts }]).message).toContain(
      "role 'tool'",
    );
  });
  test('an unknown kind of part is refused', () => {
    expect(refused([{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }])).toMatchObject({
      param: 'messages[0].content[0].type',
    });
  });
});
