import { Controller, Get, Headers, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Clock, StreamRef } from '@plinth/engine';
import {
  eventBody,
  type MessageId,
  parseSeq,
  type SnapshotEvent,
  type ThreadId,
  threadEvent,
} from '@plinth/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { CLOCK, SHUTDOWN } from '../platform/tokens.js';
import { MessageViews } from '../runs/message-views.js';
import { ThreadReader } from '../threads/thread-reader.js';
import { EventFeed } from './event-feed.js';
import type { FeedRequest } from './feed-entry.js';
import { isEndOfMessage } from './is-end-of-message.js';
import { sendEventStream } from './sse-stream.js';
import { untilExpiry } from './until-expiry.js';

const streamQuery = z.object({
  after: z
    .string()
    .max(40)
    .optional()
    .describe('Position of the last event that the reader has. `Last-Event-ID` wins.'),
});
const messageQuery = streamQuery.extend({
  fold: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'Whether the pieces of a text that is finished may come as one `folded` entry, before the whole text.',
    ),
});
const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  description: 'As a browser sends it when it reconnects.',
  required: false,
};
const SSE = 'text/event-stream';

/** The event logs as server-sent events. A reader that goes away never affects the run. */
@Controller('v1')
export class EventsController {
  constructor(
    @Inject(EventFeed) private readonly feed: EventFeed,
    @Inject(MessageViews) private readonly views: MessageViews,
    @Inject(ThreadReader) private readonly threads: ThreadReader,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SHUTDOWN) private readonly shutdown: AbortSignal,
  ) {}

  @Get('messages/:messageId/events')
  @Operation({
    summary: "A message's events: those after the cursor, then what comes, to the end of the run",
    description:
      'Each frame has `id: <epoch>-<n>`. What cannot be replayed any more is announced by `gap`, followed by `snapshot` with the whole state. With `fold`, `folded {from, to}` stands for the pieces of a finished text, with the id of the last; the whole text follows. The stream ends after `run.finished`, and when the token expires.',
    tag: 'events',
    access: 'any',
    status: 200,
    query: messageQuery,
    headers: [LAST_EVENT_ID],
    response: eventBody,
    contentType: SSE,
    errors: ['not_found'],
  })
  async message(
    @Caller() caller: Principal,
    @Param('messageId') id: string,
    @Query(zod(messageQuery)) query: z.output<typeof messageQuery>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const messageId = id as MessageId;
    const { tenantId, viewer } = caller;
    await this.views.get(tenantId, viewer, messageId);
    await this.send(caller, { kind: 'message', id: messageId }, lastEventId ?? query.after, request, reply, {
      fold: query.fold === 'true',
      isEnd: isEndOfMessage,
      rebuild: async () => {
        const { view, seq } = await this.views.stateOf(tenantId, viewer, messageId);
        const snapshot: SnapshotEvent = { type: 'snapshot', message: view };
        return { seq, payload: JSON.stringify(snapshot) };
      },
    });
  }

  @Get('threads/:threadId/events')
  @Operation({
    summary: "A thread's events: new runs and their ends, so that a second tab or device follows",
    tag: 'events',
    access: 'any',
    status: 200,
    query: streamQuery,
    headers: [LAST_EVENT_ID],
    response: threadEvent,
    contentType: SSE,
    errors: ['not_found'],
  })
  async thread(
    @Caller() caller: Principal,
    @Param('threadId') id: string,
    @Query(zod(streamQuery)) query: z.output<typeof streamQuery>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const threadId = id as ThreadId;
    await this.threads.get(caller.tenantId, caller.viewer, threadId);
    await this.send(caller, { kind: 'thread', id: threadId }, lastEventId ?? query.after, request, reply, {
      isEnd: () => false,
      // After a gap a reader reads the thread again; there is nothing to put in its place here.
      rebuild: async () => null,
    });
  }

  private async send(
    caller: Principal,
    stream: StreamRef,
    after: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    about: Pick<FeedRequest, 'fold' | 'isEnd' | 'rebuild'>,
  ): Promise<void> {
    reply.hijack();
    const tenant = caller.tenantId;
    const closed = this.metrics.streamOpened(tenant);
    const done = new AbortController();
    try {
      await sendEventStream(
        reply.raw,
        (feed) =>
          this.feed.follow({
            tenant,
            stream,
            after: after === undefined ? null : parseSeq(after),
            ...about,
            ...feed,
          }),
        {
          clock: this.clock,
          signal: AbortSignal.any([this.shutdown, untilExpiry(this.clock, caller, done.signal)]),
          headers: reply.getHeaders() as Record<string, string>,
          onError: (error) =>
            this.metrics.problem(
              tenant,
              { runId: '', doing: `send events of ${stream.id} (${request.id})` },
              error,
            ),
        },
      );
    } finally {
      done.abort();
      closed();
    }
  }
}
