import type { ContentPart, UserMessage } from '@ag-ui/core';
import { PlinthError } from '@plinth/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentOf } from './agui-content.js';
import type { Placed } from './agui-input.js';

const user = (content: UserMessage['content'], index = 0): Placed<UserMessage> => ({
  message: { id: `m${index}`, role: 'user', content },
  index,
});
const image = (source: object, metadata?: object): ContentPart =>
  ({ type: 'image', source, ...(metadata ? { metadata } : {}) }) as ContentPart;

/** Where a message is refused. */
function refusedAt(...parts: ContentPart[]): string | undefined {
  try {
    contentOf([user(parts, 3)]);
  } catch (error) {
    if (PlinthError.isInstance(error)) return error.fields[0]?.path;
    throw error;
  }
  return undefined;
}

it('several new messages are one text, each in a paragraph of its own, and bring all that they have', () => {
  const picture = image({ type: 'url', value: 'https://a.example/b.png' });
  const { text, media } = contentOf([
    user('One.', 0),
    user([picture], 1),
    user([{ type: 'text', text: 'Tw' }, { type: 'text', text: 'o.' }, picture], 2),
  ]);
  expect(text).toBe('One.\n\nTwo.');
  expect(media.map(({ path }) => path)).toEqual([
    'messages.1.content.0.source.value',
    'messages.2.content.2.source.value',
  ]);
});

it('the bytes of a part come through, as data and as a data URL', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
      const value = Buffer.from(bytes).toString('base64');
      const { media } = contentOf([
        user([
          image({ type: 'data', value, mimeType: 'image/png' }, { filename: ' a.png ' }),
          image({ type: 'url', value: `data:image/png;base64,${value}` }),
        ]),
      ]);
      expect(media).toEqual([
        {
          title: 'a.png',
          path: 'messages.0.content.0.source.value',
          bytes: Buffer.from(bytes),
          contentType: 'image/png',
        },
        {
          title: 'image',
          path: 'messages.0.content.1.source.value',
          bytes: Buffer.from(bytes),
          contentType: 'image/png',
        },
      ]);
    }),
  );
});

it('an upload is named as a file, an address as a url', () => {
  const { media } = contentOf([
    user([
      image({ type: 'file', value: 'upl_1', provider: 'plinth' }),
      image({ type: 'url', value: 'https://a.example/b.png' }),
    ]),
  ]);
  expect(media.map((one) => 'input' in one && one.input)).toEqual([
    { uploadId: 'upl_1' },
    { url: 'https://a.example/b.png' },
  ]);
});

it('what cannot be taken is refused by its field', () => {
  const at = 'messages.3.content.0.source';
  expect(refusedAt(image({ type: 'data', value: 'no base64!', mimeType: 'image/png' }))).toBe(`${at}.value`);
  expect(refusedAt(image({ type: 'data', value: '', mimeType: 'image/png' }))).toBe(`${at}.value`);
  expect(refusedAt(image({ type: 'url', value: 'data:image/svg+xml,<svg/>' }))).toBe(`${at}.value`);
  expect(refusedAt(image({ type: 'url', value: 'file:///etc/passwd' }))).toBe(`${at}.value`);
  expect(refusedAt(image({ type: 'file', value: 'file-1', provider: 'openai' }))).toBe(`${at}.provider`);
  expect(refusedAt(image({ type: 'file', value: 'two words' }))).toBe(`${at}.value`);
  const document = {
    type: 'document',
    source: { type: 'url', value: 'https://a.example/b.pdf' },
  } as ContentPart;
  expect(refusedAt(document)).toBe(`${at}.value`);
  const many = Array.from({ length: 11 }, () => image({ type: 'file', value: 'upl_1' }));
  expect(refusedAt(...many)).toBe('messages.3.content');
  expect(refusedAt({ type: 'text', text: ' ' })).toBe('messages.3.content');
  expect(refusedAt({ type: 'text', text: 'x'.repeat(100_001) })).toBe('messages.3.content');
});
