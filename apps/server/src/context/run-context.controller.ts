import { Controller, Get, Inject, Param } from '@nestjs/common';
import {
  type RunContextView,
  type RunId,
  runContextView,
  type TurnRequestView,
  turnRequestView,
} from '@plinth/protocol';
import type { Principal } from '../auth/principal.js';
import { requireDebug } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { RunContexts } from './run-contexts.js';

/** What was sent to the model, and what was left out: for whoever looks after an agent. */
@Controller('v1/runs/:runId')
export class RunContextController {
  constructor(@Inject(RunContexts) private readonly contexts: RunContexts) {}

  @Get('context')
  @Operation({
    summary: 'What the requests of a run held, and what was left out',
    description: 'A session token needs the scope `debug`.',
    tag: 'runs',
    access: 'any',
    status: 200,
    response: runContextView,
    errors: ['not_found'],
  })
  async get(@Caller() caller: Principal, @Param('runId') runId: string): Promise<RunContextView> {
    // Before the scope: a stranger is not told that there is such a run.
    const run = await this.contexts.find(caller.tenantId, caller.viewer, runId as RunId);
    requireDebug(caller);
    return this.contexts.of(caller.tenantId, run);
  }

  @Get('turns/:turn/request')
  @Operation({
    summary: 'The request of one turn, as it was sent to the model',
    description:
      'Instructions, tools and messages, also those that the chat does not show; pictures by what they are, without their bytes. It is made again from what is stored, and `verified` says whether it has the digest of what was sent. Turns count from 0; one is there once the model has answered it. A session token needs the scope `debug`.',
    tag: 'runs',
    access: 'any',
    status: 200,
    response: turnRequestView,
    errors: ['not_found'],
  })
  async request(
    @Caller() caller: Principal,
    @Param('runId') runId: string,
    @Param('turn') turn: string,
  ): Promise<TurnRequestView> {
    const run = await this.contexts.find(caller.tenantId, caller.viewer, runId as RunId);
    requireDebug(caller);
    return this.contexts.request(caller.tenantId, run, Number(turn));
  }
}
