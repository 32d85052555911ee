import { Controller, Get, Inject, Param } from '@nestjs/common';
import { type RunContextView, type RunId, runContextView } from '@plinth/protocol';
import type { Principal } from '../auth/principal.js';
import { requireDebug } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { RunContexts } from './run-contexts.js';

/** What was sent to the model, and what was left out: for whoever looks after an agent. */
@Controller('v1/runs/:runId/context')
export class RunContextController {
  constructor(@Inject(RunContexts) private readonly contexts: RunContexts) {}

  @Get()
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
}
