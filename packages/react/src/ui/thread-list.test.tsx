// @vitest-environment jsdom
import type { ThreadView } from '@plinth/protocol';
import { afterEach, expect, test, vi } from 'vitest';
import { button, click, draw, undraw } from './draw-for-test.js';
import { Providers } from './session-for-test.js';
import { ThreadList } from './thread-list.js';

afterEach(undraw);

const thread = (id: string, fields: Partial<ThreadView> = {}): ThreadView => ({
  id,
  title: id,
  forkedFrom: null,
  headMessageId: null,
  activeRunId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...fields,
});

test('a fork says where it comes from and leads there, also to a thread that is not listed; another says nothing', async () => {
  const onSelect = vi.fn();
  const forkedFrom = { threadId: 'thr_0', messageId: 'msg_1', title: 'Tea sale' };
  const { box } = draw(
    <Providers>
      <ThreadList
        threads={[thread('thr_2', { forkedFrom }), thread('thr_1')]}
        activeId={null}
        onSelect={onSelect}
        onNew={() => undefined}
      />
    </Providers>,
  );
  expect(box.querySelectorAll('.plinth-thread-origin')).toHaveLength(1);
  await click(button(box, 'From: Tea sale'));
  expect(onSelect.mock.calls).toEqual([['thr_0']]);
});
