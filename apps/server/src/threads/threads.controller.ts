import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import {
  createThreadRequest,
  type EndUserId,
  type MessageId,
  type Page,
  PlinthError,
  page,
  type ThreadId,
  type ThreadMessage,
  type ThreadView,
  threadMessage,
  threadView,
} from '@plinth/protocol';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import { MessageViews } from '../runs/message-views.js';
import { ThreadReader } from './thread-reader.js';
import { Threads } from './threads.js';

const cursor = z.string().max(500).optional();
const listQuery = z.strictObject({ cursor, limit: z.coerce.number().int().min(1).max(200).default(50) });
const messagesQuery = z.strictObject({ cursor, limit: z.coerce.number().int().min(1).max(200).default(200) });
const createBody = createThreadRequest.extend({
  endUserId: z.string().min(1).max(200).optional().describe('With an API key: whose thread it is.'),
});

@Controller('v1/threads')
export class ThreadsController {
  constructor(
    @Inject(Threads) private readonly threads: Threads,
    @Inject(ThreadReader) private readonly reader: ThreadReader,
    @Inject(MessageViews) private readonly views: MessageViews,
  ) {}

  @Post()
  @Operation({
    summary: 'Make an empty thread',
    tag: 'threads',
    access: 'any',
    status: 201,
    body: createBody,
    response: threadView,
    errors: ['invalid_request'],
  })
  create(
    @Caller() caller: Principal,
    @Body(zod(createBody)) body: z.output<typeof createBody>,
  ): Promise<ThreadView> {
    requireScope(caller, 'runs');
    const endUserId = caller.viewer.endUserId ?? (body.endUserId as EndUserId | undefined);
    if (endUserId === undefined) {
      const field = { path: 'endUserId', message: 'is required with an API key' };
      throw new PlinthError('invalid_request', 'Name the end user that the thread is for: endUserId.', {}, [
        field,
      ]);
    }
    return this.threads.create(caller.tenantId, endUserId, { title: body.title ?? null });
  }

  @Get()
  @Operation({
    summary: 'Threads, the one used last first',
    tag: 'threads',
    access: 'any',
    status: 200,
    query: listQuery,
    response: page(threadView),
    errors: ['invalid_request'],
  })
  list(
    @Caller() caller: Principal,
    @Query(zod(listQuery)) query: z.output<typeof listQuery>,
  ): Promise<Page<ThreadView>> {
    return this.reader.list(caller.tenantId, caller.viewer, query);
  }

  @Get(':threadId')
  @Operation({
    summary: 'One thread',
    tag: 'threads',
    access: 'any',
    status: 200,
    response: threadView,
    errors: ['not_found'],
  })
  get(@Caller() caller: Principal, @Param('threadId') threadId: string): Promise<ThreadView> {
    return this.reader.get(caller.tenantId, caller.viewer, threadId as ThreadId);
  }

  @Get(':threadId/messages')
  @Operation({
    summary: 'The messages on the path to the head, oldest first',
    description:
      'Without a cursor the newest page; `nextCursor` leads to older ones. Shadow messages are left out.',
    tag: 'threads',
    access: 'any',
    status: 200,
    query: messagesQuery,
    response: page(threadMessage),
    errors: ['invalid_request', 'not_found'],
  })
  async messages(
    @Caller() { tenantId, viewer }: Principal,
    @Param('threadId') threadId: string,
    @Query(zod(messagesQuery)) query: z.output<typeof messagesQuery>,
  ): Promise<Page<ThreadMessage>> {
    const nodes = await this.reader.path(tenantId, viewer, threadId as ThreadId, query);
    const assistants = nodes.items
      .filter((node) => node.role === 'assistant')
      .map((node) => node.id as MessageId);
    const views = await this.views.many(tenantId, viewer, assistants);
    const items = nodes.items.flatMap((node): ThreadMessage[] => {
      if (node.role === 'user') return [node];
      const view = views.get(node.id);
      return view ? [{ ...node, view }] : [];
    });
    return { items, nextCursor: nodes.nextCursor };
  }
}
