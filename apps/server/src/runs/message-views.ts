import { type AgentCatalog, type Ledger, messageViewOf, type RunRecord, type Viewer } from '@plinth/engine';
import { formatSeq, type MessageId, type MessageView, PlinthError, type TenantId } from '@plinth/protocol';

/** The state of assistant messages, from the ledger. */
export class MessageViews {
  constructor(
    private readonly ledger: Ledger,
    private readonly agents: AgentCatalog,
  ) {}

  /** @throws PlinthError not_found */
  async get(tenant: TenantId, viewer: Viewer, id: MessageId): Promise<MessageView> {
    return (await this.stateOf(tenant, viewer, id)).view;
  }

  /** The state, and the place that the message's event log is known to have reached. @throws PlinthError not_found */
  async stateOf(
    tenant: TenantId,
    viewer: Viewer,
    id: MessageId,
  ): Promise<{ view: MessageView; seq: string }> {
    const [record] = await this.ledger.loadRecords(tenant, viewer, [id]);
    if (!record) throw new PlinthError('not_found', 'There is no such message.');
    const seq = formatSeq({ epoch: record.run.eventEpoch, n: record.run.eventTail });
    return { view: await this.viewOf(tenant, record), seq };
  }

  async many(tenant: TenantId, viewer: Viewer, ids: readonly MessageId[]): Promise<Map<string, MessageView>> {
    const records = ids.length === 0 ? [] : await this.ledger.loadRecords(tenant, viewer, ids);
    const views = await Promise.all(records.map((record) => this.viewOf(tenant, record)));
    return new Map(views.map((view) => [view.messageId, view]));
  }

  private async viewOf(tenant: TenantId, record: RunRecord): Promise<MessageView> {
    return messageViewOf(record, await this.agents.version(tenant, record.run.agentVersionId));
  }
}
