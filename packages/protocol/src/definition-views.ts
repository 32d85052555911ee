import { z } from 'zod';
import { agentDefinition } from './agents.js';
import { toolDefinition } from './tools.js';

const version = {
  version: z.number().int().describe('Counts from 1. A version never changes.'),
  digest: z.string().describe('SHA-256 of the canonical JSON of the definition. Equal: nothing has changed.'),
  createdAt: z.iso.datetime(),
};

export const definitionVersion = z.object(version);
export type DefinitionVersion = z.infer<typeof definitionVersion>;

export const toolView = z.object({ key: z.string(), ...version, definition: toolDefinition });
export type ToolView = z.infer<typeof toolView>;

export const agentView = z.object({
  key: z.string(),
  ...version,
  definition: agentDefinition,
  tools: z
    .array(z.object({ key: z.string(), digest: z.string() }))
    .describe('The definitions that it was published with, in the order of the agent.'),
});
export type AgentView = z.infer<typeof agentView>;

/** What `PUT` answers: the version in force, and whether the request has made it. */
const written = { changed: z.boolean().describe('False when the newest version says the same already.') };
export const writtenTool = toolView.extend({
  ...written,
  warnings: z.array(z.string()).describe('What is allowed and may not be meant.'),
});
export type WrittenTool = z.infer<typeof writtenTool>;
export const writtenAgent = agentView.extend(written);
export type WrittenAgent = z.infer<typeof writtenAgent>;

/** The body of `PUT`: the key stands in the path, and may stand in the body if it is the same. */
export const toolBody = toolDefinition.extend({ key: toolDefinition.shape.key.optional() });
export const agentBody = agentDefinition.extend({ key: agentDefinition.shape.key.optional() });
