import {
  type Ledger,
  type RebuildPorts,
  type Run,
  rebuildRequest,
  type Turn,
  type Viewer,
} from '@plinth/engine';
import {
  PlinthError,
  type RunContextView,
  type RunId,
  type TenantId,
  type TurnContext,
  type TurnRequestView,
} from '@plinth/protocol';

/** How the requests of runs were made, from the ledger. What the viewer may not see is not there. */
export class RunContexts {
  constructor(
    private readonly ledger: Pick<Ledger, 'findRun' | 'loadTail'>,
    private readonly ports: RebuildPorts,
  ) {}

  /** @throws PlinthError `not_found` */
  async find(tenant: TenantId, viewer: Viewer, runId: RunId): Promise<Run> {
    const run = await this.ledger.findRun(tenant, viewer, runId);
    if (run === null) throw new PlinthError('not_found', 'There is no such run.');
    return run;
  }

  /** @throws Error when the run is not there */
  async of(tenant: TenantId, { id: runId }: Run): Promise<RunContextView> {
    const record = await this.ledger.loadTail(tenant, runId, 0);
    if (record === null) throw new Error(`run ${runId} is not in the ledger`);
    const model = record.turns.findLast(({ context }) => context !== null)?.context?.model ?? null;
    return { runId, model, turns: record.turns.flatMap(toTurnContext) };
  }

  /** @throws PlinthError `not_found` */
  async request(tenant: TenantId, { id: runId }: Run, turn: number): Promise<TurnRequestView> {
    const request = await rebuildRequest(this.ports, tenant, runId, turn);
    if (request !== null) return request;
    throw new PlinthError('not_found', 'There is no such turn. One is there once the model has answered it.');
  }
}

function toTurnContext({ index, context, usage }: Turn): TurnContext[] {
  if (context === null) return [];
  const { model: _model, cut: _cut, ...noted } = context;
  const { inputTokens, cachedInputTokens } = usage;
  return [{ turn: index, ...noted, inputTokens, cachedInputTokens }];
}
