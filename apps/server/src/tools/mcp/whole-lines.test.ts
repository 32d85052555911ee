import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageTooLarge } from './mcp-failure.js';
import { Counted, WholeLines } from './whole-lines.js';

test('a stream is given on byte for byte, in pieces that end with a line', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '\n', 'é') })), (texts) => {
      const lines = new WholeLines(10_000);
      const given = texts.map((text) => Buffer.from(lines.push(Buffer.from(text))).toString());
      for (const piece of given) expect(piece === '' || piece.endsWith('\n')).toBe(true);
      expect(given.join('') + Buffer.from(lines.rest()).toString()).toBe(texts.join(''));
    }),
  );
});

test('an event with an id makes its stream one that can be resumed', () => {
  const lines = new WholeLines(1000);
  lines.push(Buffer.from('data: id: 1\n\n'));
  expect(lines.isResumable).toBe(false);
  lines.push(Buffer.from('id'));
  lines.push(Buffer.from(': 7\ndata: x\n\n'));
  expect(lines.isResumable).toBe(true);
});

test('a line may not be longer than the limit, a stream may; a body may not', () => {
  const lines = new WholeLines(5);
  for (let time = 0; time < 10; time += 1) lines.push(Buffer.from('1234\n'));
  lines.push(Buffer.from('123'));
  expect(() => lines.push(Buffer.from('456'))).toThrow(MessageTooLarge);
  const counted = new Counted(5);
  counted.push(Buffer.from('1234\n'));
  expect(() => counted.push(Buffer.from('1'))).toThrow(MessageTooLarge);
});
