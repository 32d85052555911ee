import { z } from 'zod';

/** `ask`: a person confirms first, whatever the tool itself says. */
export const permissionEffect = z.enum(['allow', 'ask', 'deny']);
export type PermissionEffect = z.infer<typeof permissionEffect>;

const toolPattern = z
  .string()
  .regex(
    /^[a-zA-Z0-9_*-]{1,64}$/,
    'a tool key in which * stands for anything: letters, digits, _, - and *, at most 64',
  )
  .describe('Key of the tool; `*` stands for any characters.');
const endUser = z.string().min(1).max(200).optional().describe('Id of the one end user that it is about.');

/** A rule of a tenant, for all agents and end users unless it names one. */
export const permissionRule = z.strictObject({
  tool: toolPattern,
  agent: z.string().min(1).max(64).optional().describe('Key of the one agent that it is about.'),
  endUser,
  effect: permissionEffect,
});
export type PermissionRule = z.infer<typeof permissionRule>;

/** A rule of an agent, about itself. */
export const agentPermissionRule = z.strictObject({ tool: toolPattern, endUser, effect: permissionEffect });
export type AgentPermissionRule = z.infer<typeof agentPermissionRule>;
