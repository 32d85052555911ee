import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../testing/eventually.js';
import { AT, anArtifact, runFinished, textDelta, toEntries } from '../testing/log-builder.js';
import { createHurriedTiming } from '../testing/manual-timing.js';
import { entriesAfter, type SseServer, startSseServer, toFrame } from '../testing/sse-server.js';
import { createPlinth } from './create-plinth.js';
import { emptyMessageView } from './message/empty-message-view.js';

const LOG = toEntries([textDelta(0, 0, 'Hel'), textDelta(0, 3, 'lo'), runFinished()]);

let server: SseServer;
let validToken: string;

/** Over a real socket: one thread with one run, and a token that can expire. */
beforeEach(async () => {
  validToken = 'first';
  const view = emptyMessageView('msg_1', 'run_1');
  const bodies: Record<string, unknown> = {
    '/v1/threads/thr_1': { id: 'thr_1', headMessageId: 'msg_1' },
    '/v1/threads/thr_1/messages': {
      items: [{ id: 'msg_1', role: 'assistant', view, parentId: null, createdAt: AT }],
      nextCursor: null,
    },
    '/v1/artifacts/art_1': { ...anArtifact(), contentUrl: '/v1/artifacts/art_1/content?signature=x' },
  };
  const json = (response: ServerResponse, status: number, body: unknown) =>
    Boolean(response.writeHead(status).end(JSON.stringify(body)));
  server = await startSseServer({
    onRequest(request: IncomingMessage, response) {
      if (request.headers.authorization !== `Bearer ${validToken}`)
        return json(response, 401, { code: 'token_expired' });
      const body = bodies[request.url ?? ''];
      return body !== undefined && json(response, 200, body);
    },
    onStream(stream, path) {
      if (!path.includes('/messages/')) return stream.write(': hb\n\n');
      stream.write(
        entriesAfter(LOG, stream.lastEventId)
          .slice(0, stream.lastEventId ? 9 : 1)
          .map(toFrame)
          .join(''),
      );
    },
  });
});

afterEach(() => server.close());

const streams = () => server.requests.filter(({ path }) => /\/events(\?|$)/.test(path));

describe('the client over a real connection', () => {
  it('S5: two subscribers are one connection per log, closed when both have left', async () => {
    const plinth = createPlinth({ baseUrl: server.url, auth: () => 'first', ...createHurriedTiming() });
    const session = plinth.thread('thr_1');
    const leaves = [session.subscribe(() => undefined), plinth.thread('thr_1').subscribe(() => undefined)];
    await eventually(() => expect(server.open.size).toBe(2));
    leaves[0]?.();
    leaves[1]?.();
    await eventually(() => expect(server.open.size).toBe(0));
    expect(streams()).toHaveLength(2);
  });

  it('S10: a token that expires under two open streams is refreshed once, and both go on where they were', async () => {
    const auth = vi.fn(async ({ refresh }: { refresh: boolean }) => (refresh ? 'second' : 'first'));
    const session = createPlinth({ baseUrl: server.url, auth, ...createHurriedTiming() }).thread('thr_1');
    const leave = session.subscribe(() => undefined);
    await eventually(() => expect(session.getSnapshot().cursors).toEqual({ msg_1: '1-1' }));
    validToken = 'second';
    for (const stream of server.open) stream.end();
    await eventually(() =>
      expect(session.getSnapshot().messages[0]).toMatchObject({
        view: { status: 'completed', parts: [{ text: 'Hello' }] },
      }),
    );
    await eventually(() => expect(session.getSnapshot().connection).toBe('live'));
    expect(auth.mock.calls.map(([options]) => options.refresh)).toEqual([false, true]);
    leave();
    await eventually(() => expect(server.open.size).toBe(0));
  });

  it('a content URL without a host is under baseUrl', async () => {
    const plinth = createPlinth({ baseUrl: `${server.url}/`, auth: () => 'first' });
    expect((await plinth.artifact('art_1')).contentUrl).toBe(
      `${server.url}/v1/artifacts/art_1/content?signature=x`,
    );
  });
});
