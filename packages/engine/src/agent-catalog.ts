import type {
  AgentDefinition,
  AgentVersionId,
  PinnedSkill,
  TenantId,
  ToolDefinition,
} from '@plinth/protocol';

/** A published agent version with the tools and skills it was published with. Immutable. */
export interface AgentVersion {
  id: AgentVersionId;
  version: number;
  definition: AgentDefinition;
  /** In the order of `definition.tools`, then what its publication adds: the order of the request's prefix. */
  tools: ToolDefinition[];
  /** In the order of `definition.skills`. */
  skills: PinnedSkill[];
}

export interface AgentCatalog {
  /** @throws Error when a run points to a version that is not there (a bug: versions are never deleted). */
  version(tenant: TenantId, id: AgentVersionId): Promise<AgentVersion>;
  /** The newest published version of the agent with this key; null when there is none. */
  newest(tenant: TenantId, key: string): Promise<AgentVersion | null>;
}
