import type { AgentCatalog, Ledger, ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';
import { WHOLE_TENANT } from '../../tenants/whole-tenant.js';

/** The builtin `load_skill`: a skill as the run's agent version holds it, whatever was stored since. */
export class LoadSkillExecutor implements ToolExecutor {
  constructor(
    private readonly ledger: Pick<Ledger, 'findRun'>,
    private readonly agents: Pick<AgentCatalog, 'version'>,
  ) {}

  async execute(tenant: TenantId, { runId, ...call }: ToolInvocation): Promise<ToolOutcome> {
    const run = await this.ledger.findRun(tenant, WHOLE_TENANT, runId as RunId);
    if (run === null) throw new Error(`run ${runId} is not in the ledger`);
    const { skills } = await this.agents.version(tenant, run.agentVersionId);
    const { key } = call.arguments;
    const skill = skills.find((one) => one.key === key);
    if (skill === undefined) {
      const known = skills.map((one) => one.key).join(', ') || 'none';
      const message = `There is no skill ${JSON.stringify(key ?? null)}. There are: ${known}.`;
      return { kind: 'failed', error: { code: 'unknown_skill', message } };
    }
    const value = { skill: skill.key, version: skill.version, instructions: skill.content };
    return { kind: 'succeeded', value, files: [] };
  }
}
