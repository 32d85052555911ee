import { Body, Controller, Get, Headers, Inject, Param, Post, Query } from '@nestjs/common';
import { cancelRun, type DoorPorts, retryRun, startRun } from '@plinth/engine';
import {
  type Page,
  page,
  type RunId,
  type RunView,
  retryRunRequest,
  runStatus,
  runView,
  type StartRunResponse,
  startRunRequest,
  startRunResponse,
  type ThreadId,
} from '@plinth/protocol';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireAgent, requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import { DOOR_PORTS } from '../platform/tokens.js';
import { RunReader } from './run-reader.js';
import { endUserOf, IDEMPOTENCY_HEADER, idempotencyKeyOf } from './run-request.js';

/** A back end names the end user that it starts the run for; a session token is one. */
const startBody = startRunRequest.extend({
  endUserId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('With an API key: for whom. Not with a session token.'),
});
const listQuery = z.strictObject({
  status: runStatus.optional(),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const ATTACHMENT_ERRORS = ['attachment_not_found', 'attachment_not_fetched', 'attachment_too_large'] as const;

@Controller('v1')
export class RunsController {
  constructor(
    @Inject(DOOR_PORTS) private readonly ports: DoorPorts,
    @Inject(RunReader) private readonly reader: RunReader,
  ) {}

  @Post('runs')
  @Operation({
    summary: 'Start a run in a new thread',
    tag: 'runs',
    access: 'any',
    status: 201,
    body: startBody,
    headers: [IDEMPOTENCY_HEADER],
    response: startRunResponse,
    errors: ['invalid_request', 'not_found', 'idempotency_key_reused', ...ATTACHMENT_ERRORS],
  })
  start(
    @Caller() caller: Principal,
    @Body(zod(startBody)) body: z.output<typeof startBody>,
    @Headers('idempotency-key') key?: string,
  ): Promise<StartRunResponse> {
    return this.startIn(caller, null, body, key);
  }

  @Post('threads/:threadId/runs')
  @Operation({
    summary: 'Start a run in a thread',
    description:
      'A run that only waits is closed as superseded, or refused, by `onBusy`; one that works is always refused with 409.',
    tag: 'runs',
    access: 'any',
    status: 201,
    body: startBody,
    headers: [IDEMPOTENCY_HEADER],
    response: startRunResponse,
    errors: ['invalid_request', 'not_found', 'thread_busy', 'idempotency_key_reused', ...ATTACHMENT_ERRORS],
  })
  startInThread(
    @Caller() caller: Principal,
    @Param('threadId') threadId: string,
    @Body(zod(startBody)) body: z.output<typeof startBody>,
    @Headers('idempotency-key') key?: string,
  ): Promise<StartRunResponse> {
    return this.startIn(caller, threadId as ThreadId, body, key);
  }

  @Get('runs')
  @Operation({
    summary: 'Runs, newest first',
    tag: 'runs',
    access: 'any',
    status: 200,
    query: listQuery,
    response: page(runView),
    errors: ['invalid_request'],
  })
  list(
    @Caller() caller: Principal,
    @Query(zod(listQuery)) query: z.output<typeof listQuery>,
  ): Promise<Page<RunView>> {
    return this.reader.list(caller.tenantId, caller.viewer, query);
  }

  @Get('runs/:runId')
  @Operation({
    summary: 'One run',
    tag: 'runs',
    access: 'any',
    status: 200,
    response: runView,
    errors: ['not_found'],
  })
  get(@Caller() caller: Principal, @Param('runId') runId: string): Promise<RunView> {
    return this.reader.get(caller.tenantId, caller.viewer, runId as RunId);
  }

  @Post('runs/:runId/cancel')
  @Operation({
    summary: 'Cancel a run',
    description:
      'One that only waits ends at once. One that works ends as soon as its worker has stopped it. An ended one stays as it is.',
    tag: 'runs',
    access: 'any',
    status: 200,
    response: runView,
    errors: ['not_found'],
  })
  async cancel(@Caller() caller: Principal, @Param('runId') runId: string): Promise<RunView> {
    const { tenantId, viewer } = caller;
    const own = viewer.endUserId;
    await cancelRun(this.ports, tenantId, runId as RunId, (run) => own === null || run.endUserId === own);
    return this.reader.get(tenantId, viewer, runId as RunId);
  }

  @Post('runs/:runId/retry')
  @Operation({
    summary: 'Answer the user message of a run once more, on a new branch',
    description:
      'Makes a new run under the same user message; its assistant message is a sibling of the old one, which stays, and the new head. 409 while the run itself or a working run of the thread is active.',
    tag: 'runs',
    access: 'any',
    status: 201,
    body: retryRunRequest,
    headers: [IDEMPOTENCY_HEADER],
    response: startRunResponse,
    errors: ['invalid_request', 'not_found', 'thread_busy', 'idempotency_key_reused'],
  })
  async retry(
    @Caller() caller: Principal,
    @Param('runId') runId: string,
    @Body(zod(retryRunRequest)) body: z.output<typeof retryRunRequest>,
    @Headers('idempotency-key') key?: string,
  ): Promise<StartRunResponse> {
    requireScope(caller, 'runs');
    const { tenantId, viewer } = caller;
    requireAgent(caller, (await this.reader.get(tenantId, viewer, runId as RunId)).agent);
    const threadId = (body.threadId ?? null) as ThreadId | null;
    const { agentVersion, onBusy } = body;
    const request = { runId: runId as RunId, threadId, agentVersion, onBusy };
    return retryRun(this.ports, tenantId, viewer, { ...request, idempotencyKey: idempotencyKeyOf(key) });
  }

  private startIn(
    caller: Principal,
    threadId: ThreadId | null,
    body: z.output<typeof startBody>,
    header: string | undefined,
  ): Promise<StartRunResponse> {
    requireScope(caller, 'runs');
    requireAgent(caller, body.agent);
    return startRun(this.ports, caller.tenantId, {
      endUserId: endUserOf(caller, body.endUserId),
      threadId,
      agent: body.agent,
      text: body.input.text,
      attachments: body.input.attachments,
      onBusy: body.onBusy,
      idempotencyKey: idempotencyKeyOf(header),
    });
  }
}
