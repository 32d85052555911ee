import { expect, test } from 'vitest';
import { readable } from './log-lines.mjs';

test('a JSON line becomes level, message and fields', () => {
  const line = JSON.stringify({ level: 40, time: 1, pid: 2, msg: 'slow turn', tenant: 'ten_1', ms: 900 });

  expect(readable(line)).toBe('warn slow turn tenant=ten_1 ms=900');
});

test('an error keeps its stack', () => {
  const line = JSON.stringify({
    level: 50,
    msg: 'failed',
    err: { message: 'no', stack: 'Error: no\n  at x' },
  });

  expect(readable(line)).toBe('error failed \nError: no\n  at x');
});

test.each(['plain text', '{ not json'])('"%s" is left as it is', (line) => {
  expect(readable(line)).toBe(line);
});
