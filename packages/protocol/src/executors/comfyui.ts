import { z } from 'zod';
import { jsonObject } from '../json.js';

const nodeId = z.string().min(1).max(100);
const place = {
  node: nodeId.describe('Id of a node of the workflow.'),
  input: z.string().min(1).max(100).describe('Name of one of its inputs.'),
};

/** A workflow in ComfyUI's API format ("Export (API)"): nodes by their id. */
export const comfyuiWorkflow = z
  .record(
    nodeId,
    z.object({
      class_type: z.string().min(1).max(200),
      inputs: jsonObject.default({}),
      _meta: z.object({ title: z.string().max(200).optional() }).optional(),
    }),
  )
  .refine((nodes) => Object.keys(nodes).length > 0, 'has no nodes')
  .refine((nodes) => Object.keys(nodes).length <= 1000, 'has more than 1000 nodes');
export type ComfyUiWorkflow = z.infer<typeof comfyuiWorkflow>;

export const comfyuiInputKind = z.enum(['value', 'image', 'audio']);
export type ComfyUiInputKind = z.infer<typeof comfyuiInputKind>;

const comfyuiHost = z
  .string()
  .regex(
    /^(https?:\/\/\S{1,400}|[a-z][a-z0-9-]{0,63})$/,
    "must be an http or https URL, or a name from the tenant's configuration",
  );

/** Publishes an existing ComfyUI workflow as a tool. */
export const comfyuiExecutor = z.object({
  kind: z.literal('comfyui'),
  hosts: z
    .array(comfyuiHost)
    .min(1)
    .max(20)
    .describe(
      "Hosts that can run the workflow: URLs, or names under `comfyui.hosts` of the tenant's configuration. The one with the shortest queue gets a job.",
    ),
  workflow: comfyuiWorkflow,
  inputs: z
    .array(
      z.object({
        parameter: z.string().min(1).max(100).describe("A member of the tool's arguments."),
        ...place,
        kind: comfyuiInputKind
          .default('value')
          .describe('`image` and `audio`: the argument is an artifact id, whose file is uploaded first.'),
      }),
    )
    .max(100)
    .default([])
    .describe('Which argument goes where. An argument that is left out leaves what the workflow says.'),
  outputs: z
    .array(
      z.object({
        node: place.node,
        as: z
          .enum(['files', 'text'])
          .default('files')
          .describe('`files` become artifacts; `text` goes to the model.'),
        title: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe('Title of its artifacts. Default: the file name.'),
      }),
    )
    .min(1)
    .max(16)
    .describe('What the tool returns. Outputs of other nodes are not fetched.'),
  seed: z
    .object({
      targets: z.array(z.object(place)).min(1).max(16).describe('All get the same seed.'),
      parameter: z.string().min(1).max(100).optional().describe('An argument that sets it.'),
    })
    .optional()
    .describe('A new seed for each call, unless the argument gives one. Left out: what the workflow says.'),
  hostTimeoutSeconds: z
    .number()
    .int()
    .min(5)
    .max(3600)
    .default(120)
    .describe('Seconds that a host may be silent while it has the job; then the job is given up.'),
});
export type ComfyUiExecutorSpec = z.infer<typeof comfyuiExecutor>;
