import { expect, test } from 'vitest';
import { isTextArtifact, nextType } from './next-type.js';

const text = (value: string) => new TextEncoder().encode(value);
const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
const JPEG = Uint8Array.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0,
]);
const MARKDOWN = { kind: 'document', mimeType: 'text/markdown' } as const;
const PICTURE = { kind: 'image', mimeType: 'image/png' } as const;

test.each([
  ['half a JSON', { kind: 'code', mimeType: 'application/json' } as const, '{"a": '],
  ['Markdown that begins with a tag', MARKDOWN, '<div align="center">Title</div>'],
  ['a table of which one line is left', { kind: 'table', mimeType: 'text/csv' } as const, 'name,qty'],
  ['a document from which everything was deleted', MARKDOWN, ''],
])('%s stays what it was', async (_name, current, content) => {
  expect(await nextType(current, text(content), {})).toEqual(current);
});

test('a text does not become bytes, nor a picture a text, whatever its sender calls it', async () => {
  expect(await nextType(MARKDOWN, PNG, { contentType: 'text/markdown' })).toBeNull();
  expect(await nextType(PICTURE, text('<html></html>'), { contentType: 'image/png' })).toBeNull();
});

test('a picture may be saved in another format of pictures', async () => {
  expect(await nextType(PICTURE, JPEG, {})).toEqual({ kind: 'image', mimeType: 'image/jpeg' });
});

test('a Word document is a document and no text', () => {
  const mimeType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  expect(isTextArtifact({ kind: 'document', mimeType })).toBe(false);
  expect(isTextArtifact(MARKDOWN)).toBe(true);
});
