import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineBuffer } from './line-buffer.js';
import { MessageTooLarge } from './mcp-failure.js';

test('lines come out as they went in, in whatever pieces they arrive', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\n\r]/g, ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 7 })), (lines, sizes) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const buffer = new LineBuffer(10_000);
      const read: string[] = [];
      for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
        const size = sizes[piece % Math.max(1, sizes.length)] ?? 3;
        read.push(...buffer.push(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(read).toEqual(lines.map((text) => Buffer.from(text).toString()));
    }),
  );
});

test('a line over the limit is refused, also when its end has not come; one at the limit is taken', () => {
  const buffer = new LineBuffer(5);
  expect(buffer.push(Buffer.from('12345\nab'))).toEqual(['12345']);
  expect(() => buffer.push(Buffer.from('cdef'))).toThrow(MessageTooLarge);
});
