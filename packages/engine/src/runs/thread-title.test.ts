import { expect, it } from 'vitest';
import { threadTitle } from './thread-title.js';

it('a thread is called by the first line of its first message', () => {
  expect(threadTitle('  a poster for our tea sale\nwith leaves ')).toBe('a poster for our tea sale');
});

it('a long line is cut between characters, never inside one', () => {
  const title = threadTitle('🍵'.repeat(80));
  expect([...title]).toHaveLength(60);
  expect(title.endsWith('…')).toBe(true);
  expect(title).not.toContain('\ufffd');
});
