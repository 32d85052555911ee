import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { type DoorPorts, forkThread, moveHead } from '@plinth/engine';
import {
  type BranchView,
  branchView,
  forkThreadRequest,
  type MessageId,
  moveHeadRequest,
  type ThreadId,
  type ThreadView,
  threadView,
} from '@plinth/protocol';
import type { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import { DOOR_PORTS } from '../platform/tokens.js';
import { ThreadReader } from './thread-reader.js';

/** Branches of a thread's tree: where its head stands, and threads that begin with a part of it. */
@Controller('v1/threads/:threadId')
export class BranchesController {
  constructor(
    @Inject(DOOR_PORTS) private readonly ports: DoorPorts,
    @Inject(ThreadReader) private readonly reader: ThreadReader,
  ) {}

  @Post('head')
  @Operation({
    summary: 'Move the head to a message of the tree, or before all of them',
    description:
      'The next run goes on from there, on a branch of its own. Nothing is deleted: the head can be moved back. A run that only waits is refused with 409, or closed as superseded, by `onBusy`; one that works is always refused.',
    tag: 'threads',
    access: 'any',
    status: 200,
    body: moveHeadRequest,
    response: threadView,
    errors: ['invalid_request', 'not_found', 'thread_busy'],
  })
  async moveHead(
    @Caller() caller: Principal,
    @Param('threadId') threadId: string,
    @Body(zod(moveHeadRequest)) { messageId, onBusy }: z.output<typeof moveHeadRequest>,
  ): Promise<ThreadView> {
    requireScope(caller, 'runs');
    const { tenantId, viewer } = caller;
    const to = { threadId: threadId as ThreadId, messageId: messageId as MessageId | null, onBusy };
    await moveHead(this.ports, tenantId, viewer, to);
    return this.reader.get(tenantId, viewer, to.threadId);
  }

  @Get('branches/:messageId')
  @Operation({
    summary: 'Where the branch that begins with a message ends',
    description:
      'The newest child of the newest child, and so on. Move the head there to show the branch, for example of a sibling.',
    tag: 'threads',
    access: 'any',
    status: 200,
    response: branchView,
    errors: ['not_found'],
  })
  branch(
    @Caller() { tenantId, viewer }: Principal,
    @Param('threadId') threadId: string,
    @Param('messageId') messageId: string,
  ): Promise<BranchView> {
    return this.reader.branch(tenantId, viewer, threadId as ThreadId, messageId);
  }

  @Post('fork')
  @Operation({
    summary: 'Make a thread that goes on from a message of this one',
    description:
      'The new thread is of the same end user and shares the path to the message; what happens later in one of them is not in the other. The answer of an active run cannot be forked: 409.',
    tag: 'threads',
    access: 'any',
    status: 201,
    body: forkThreadRequest,
    response: threadView,
    errors: ['invalid_request', 'not_found', 'thread_busy'],
  })
  async fork(
    @Caller() caller: Principal,
    @Param('threadId') threadId: string,
    @Body(zod(forkThreadRequest)) { messageId, title }: z.output<typeof forkThreadRequest>,
  ): Promise<ThreadView> {
    requireScope(caller, 'runs');
    const { tenantId, viewer } = caller;
    const from = { threadId: threadId as ThreadId, messageId: messageId as MessageId };
    const forked = await forkThread(this.ports, tenantId, viewer, { ...from, title: title ?? null });
    return this.reader.get(tenantId, viewer, forked);
  }
}
