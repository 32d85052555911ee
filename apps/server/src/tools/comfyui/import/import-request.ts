import { comfyuiExecutor, jsonObject, toolDefinition } from '@plinth/protocol';
import { z } from 'zod';

const { hosts, inputs, outputs, seed, hostTimeoutSeconds } = comfyuiExecutor.shape;
const { parameters: _parameters, executor: _executor, ...tool } = toolDefinition.shape;

/** An existing workflow, what it is called as a tool, and which argument goes where. */
export const importRequest = z.strictObject({
  ...tool,
  hosts,
  workflow: jsonObject.describe('As ComfyUI exports it with "Export (API)".'),
  inputs: z
    .array(
      inputs.unwrap().element.extend({
        title: z.string().min(1).max(100).optional().describe('For people who see the arguments.'),
        description: z.string().min(1).max(1000).optional().describe('For the model.'),
        required: z
          .boolean()
          .default(true)
          .describe("False: the model may leave it out, and the workflow's value stays."),
      }),
    )
    .max(100)
    .default([]),
  outputs,
  seed,
  hostTimeoutSeconds,
});
export type ImportRequest = z.output<typeof importRequest>;

export const importResponse = z.object({
  key: z.string(),
  version: z.number().int(),
  changed: z.boolean().describe('False: the newest version says the same already.'),
  checkedAgainst: z
    .string()
    .nullable()
    .describe('The host whose nodes gave the types; null: no host answered, and the types were guessed.'),
  warnings: z.array(z.string()),
  tool: toolDefinition,
});
export type ImportResponse = z.output<typeof importResponse>;
