import { Controller, Delete, Get, Inject, Param } from '@nestjs/common';
import { toIso } from '@plinth/engine';
import type { ThreadId } from '@plinth/protocol';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { ThreadReader } from '../threads/thread-reader.js';
import { PostgresApprovals } from './postgres-approvals.js';

const approvals = z.object({
  items: z.array(
    z.object({
      tool: z.string().describe('Key of the tool that is not asked about any more.'),
      interruptId: z.string().describe('Where that was said.'),
      createdAt: z.iso.datetime(),
    }),
  ),
});

/** What a person does not want to be asked about again in a thread. */
@Controller('v1/threads/:threadId/approvals')
export class ApprovalsController {
  constructor(
    @Inject(PostgresApprovals) private readonly approvals: PostgresApprovals,
    @Inject(ThreadReader) private readonly threads: ThreadReader,
  ) {}

  @Get()
  @Operation({
    summary: 'Approvals that hold for the whole thread',
    description: 'Oldest first. A tool whose definition has changed since is asked about again.',
    tag: 'interrupts',
    access: 'any',
    status: 200,
    response: approvals,
    errors: ['not_found'],
  })
  async list(
    @Caller() caller: Principal,
    @Param('threadId') threadId: string,
  ): Promise<z.infer<typeof approvals>> {
    const thread = await this.#threadOf(caller, threadId);
    const found = await this.approvals.remembered(caller.tenantId, caller.viewer, thread);
    return {
      items: found.map(({ tool, interruptId, createdAt }) => ({
        tool,
        interruptId,
        createdAt: toIso(createdAt),
      })),
    };
  }

  @Delete(':tool')
  @Operation({
    summary: 'Ask about a tool again',
    description:
      'From the next call on that needs an approval. When there is nothing to take back, nothing changes.',
    tag: 'interrupts',
    access: 'any',
    status: 200,
    response: approvals,
    errors: ['not_found'],
  })
  async forget(
    @Caller() caller: Principal,
    @Param('threadId') threadId: string,
    @Param('tool') tool: string,
  ): Promise<z.infer<typeof approvals>> {
    const thread = await this.#threadOf(caller, threadId);
    await this.approvals.forget(caller.tenantId, caller.viewer, thread, tool);
    return this.list(caller, threadId);
  }

  /** @throws PlinthError not_found when the thread is not the caller's */
  async #threadOf(caller: Principal, threadId: string): Promise<ThreadId> {
    requireScope(caller, 'runs');
    await this.threads.get(caller.tenantId, caller.viewer, threadId as ThreadId);
    return threadId as ThreadId;
  }
}
