import type { Page, ThreadView } from '@plinth/protocol';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { AT } from '../../testing/log-builder.js';
import { createPlinth } from '../create-plinth.js';

const aThread = (id: string): ThreadView => ({
  id,
  title: null,
  forkedFrom: null,
  headMessageId: null,
  activeRunId: null,
  createdAt: AT,
  updatedAt: AT,
});
const page = (ids: string[], nextCursor: string | null = null): Page<ThreadView> => ({
  items: ids.map(aThread),
  nextCursor,
});

function serve(pages: Record<string, Page<ThreadView> | number>) {
  const request = vi.fn(async (url: string) => {
    const answer = pages[url] ?? 500;
    return typeof answer === 'number'
      ? new Response('{}', { status: answer })
      : new Response(JSON.stringify(answer));
  });
  return { request, threads: createPlinth({ baseUrl: '', request }).threads };
}

const ids = (state: { threads: readonly ThreadView[] }) => state.threads.map((thread) => thread.id);

describe('the list of threads', () => {
  it('is read when the first subscriber comes, and once for all of them', async () => {
    const { threads, request } = serve({ '/v1/threads': page(['thr_2', 'thr_1']) });
    expect(request).not.toHaveBeenCalled();
    threads.subscribe(() => undefined);
    threads.subscribe(() => undefined);
    await eventually(() => expect(threads.getSnapshot().phase).toBe('ready'));
    expect(ids(threads.getSnapshot())).toEqual(['thr_2', 'thr_1']);
    expect(request).toHaveBeenCalledTimes(1);
  });

  it('grows by its next page without doubles, until all are here', async () => {
    const { threads, request } = serve({
      '/v1/threads': page(['thr_3', 'thr_2'], 'c2'),
      '/v1/threads?cursor=c2': page(['thr_2', 'thr_1']),
    });
    await threads.refresh();
    await threads.loadMore();
    await threads.loadMore();
    expect(ids(threads.getSnapshot())).toEqual(['thr_3', 'thr_2', 'thr_1']);
    expect(request).toHaveBeenCalledTimes(2);
  });

  it('that cannot be read says so, and keeps what it had', async () => {
    const pages: Record<string, Page<ThreadView> | number> = { '/v1/threads': 503 };
    const { threads } = serve(pages);
    await threads.refresh();
    expect(threads.getSnapshot()).toMatchObject({ phase: 'failed', error: { status: 503 } });
    pages['/v1/threads'] = page(['thr_1']);
    await threads.refresh();
    pages['/v1/threads'] = 503;
    await threads.refresh();
    expect(threads.getSnapshot()).toMatchObject({
      phase: 'ready',
      threads: [{ id: 'thr_1' }],
      error: { status: 503 },
    });
  });

  it('single pages and new threads are plain calls', async () => {
    const { threads, request } = serve({ '/v1/threads?limit=5': page(['thr_1']) });
    expect(await threads.list({ limit: 5 })).toEqual(page(['thr_1']));
    request.mockResolvedValueOnce(new Response(JSON.stringify(aThread('thr_9')), { status: 201 }));
    expect(await threads.create({ title: 'Tea' })).toEqual(aThread('thr_9'));
  });
});
