import { z } from 'zod';

export const skillKey = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'lower-case letters, digits and -, at most 64, starting with a letter');

const body = {
  description: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .regex(/^[^\r\n]*$/, 'must be one line')
    .describe('One line for the model: when to load this skill.'),
  content: z.string().trim().min(1).max(50_000).describe('Markdown: what the model is to know and follow.'),
};

/** A named pack of instructions. The model sees its description, and loads the rest when it needs it. */
export const skillDefinition = z.strictObject({ key: skillKey, ...body });
export type SkillDefinition = z.infer<typeof skillDefinition>;

/** A skill as an agent version holds it: the version that was the newest when the agent was published. */
export const pinnedSkill = z.object({
  key: skillKey,
  ...body,
  version: z.number().int().positive(),
  digest: z.string().describe('SHA-256 of the canonical JSON of the definition.'),
});
export type PinnedSkill = z.infer<typeof pinnedSkill>;

export const putSkillRequest = z.strictObject(body);
export type PutSkillRequest = z.input<typeof putSkillRequest>;

export const skillView = pinnedSkill.extend({ createdAt: z.iso.datetime() });
export type SkillView = z.infer<typeof skillView>;
/** A line of a list. */
export const skillListItem = skillView.omit({ content: true });
export type SkillListItem = z.infer<typeof skillListItem>;
