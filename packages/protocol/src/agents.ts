import { z } from 'zod';
import { mcpUse } from './executors/mcp-directory.js';
import { agentPermissionRule } from './permissions.js';
import { skillKey } from './skills.js';

/** An agent definition. Immutable once published; a run is pinned to one version. */
export const agentDefinition = z.object({
  key: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'lower-case letters, digits and -, at most 64'),
  name: z.string().min(1).max(100),
  instructions: z.string().min(1).max(100_000),
  tools: z.array(z.string()).max(128).default([]).describe('Keys of the tools that the model may call.'),
  permissions: z
    .array(agentPermissionRule)
    .max(200)
    .optional()
    .describe('Which of its tools it may call, must ask for, or may not. Default: all are allowed.'),
  mcp: z
    .array(mcpUse)
    .max(20)
    .optional()
    .describe('MCP servers whose tools the model may look for and enable.'),
  skills: z
    .array(skillKey)
    .max(50)
    .default([])
    .describe('Keys of the skills that the model may load. Needs a tool with the builtin `load_skill`.'),
  config: z.record(z.string(), z.unknown()).default({}).describe("Laid over the tenant's configuration."),
});
export type AgentDefinition = z.infer<typeof agentDefinition>;
