import { type AgentDefinition, agentDefinition, type FieldError } from '@plinth/protocol';
import { effectiveConfig } from '../config/effective-config.js';
import { fieldErrorsOf } from '../tenants/field-errors.js';
import { unknownFields } from '../tenants/unknown-fields.js';

export type CheckedAgent = { ok: true; agent: AgentDefinition } | { ok: false; fields: FieldError[] };

/**
 * Checks an agent definition before it is published: its shape, and its settings, so that no run can meet
 * settings that do not hold. Whether its tools and skills are there is for the database to say.
 */
export function checkAgent(raw: unknown): CheckedAgent {
  const parsed = agentDefinition.safeParse(raw);
  if (!parsed.success) return { ok: false, fields: fieldErrorsOf(parsed.error) };
  const agent = parsed.data;
  const fields = [
    ...unknownFields(raw, agent),
    ...configProblems(agent),
    ...ownPermissions(agent),
    ...repeated('tools', agent.tools),
    ...repeated('skills', agent.skills),
    ...repeatedServers(agent),
  ];
  return fields.length === 0 ? { ok: true, agent } : { ok: false, fields };
}

function configProblems({ config }: AgentDefinition): FieldError[] {
  // Where requests may go is the tenant's to say, for all of its agents.
  if ('outbound' in config)
    return [{ path: 'config.outbound', message: "belongs into the tenant's configuration, not an agent's" }];
  const effective = effectiveConfig([config]);
  if (effective.ok) return [];
  return effective.fields.map(({ path, message }) => ({
    path: path === '' ? 'config' : `config.${path}`,
    message,
  }));
}

/** Laid over the tenant's, a list takes its place: an agent would lift the rules of its tenant. */
function ownPermissions({ config: { tools } }: AgentDefinition): FieldError[] {
  if (typeof tools !== 'object' || tools === null || !('permissions' in tools)) return [];
  const message = "are the tenant's rules; write those of the agent into its own `permissions`";
  return [{ path: 'config.tools.permissions', message }];
}

function repeated(path: string, keys: readonly string[]): FieldError[] {
  return keys.flatMap((key, index) =>
    keys.indexOf(key) < index ? [{ path: `${path}.${index}`, message: `"${key}" is named twice` }] : [],
  );
}

function repeatedServers({ mcp = [] }: AgentDefinition): FieldError[] {
  const servers = mcp.map(({ server }) => server);
  return servers.flatMap((server, index) =>
    servers.indexOf(server) < index
      ? [{ path: `mcp.${index}.server`, message: `"${server}" is named twice` }]
      : [],
  );
}
