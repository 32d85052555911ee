import { z } from 'zod';

/** What a ComfyUI host answers, as far as it is read here. Hosts of many versions are about; nothing more is asked of them. */

export const queueInfo = z.object({ exec_info: z.object({ queue_remaining: z.number() }) });

/** number, prompt id, workflow, extra data, outputs. */
const queueItem = z
  .tuple([z.number(), z.string(), z.unknown(), z.object({ client_id: z.string().optional() }).loose()])
  .rest(z.unknown());
export type QueueItem = z.infer<typeof queueItem>;

export const queueState = z.object({
  queue_running: z.array(queueItem),
  queue_pending: z.array(queueItem),
});

const outputFile = z.object({
  filename: z.string().min(1).max(500),
  subfolder: z.string().max(500).default(''),
  type: z.string().max(50).default('output'),
});
export type OutputFile = z.infer<typeof outputFile>;
export const isOutputFile = (value: unknown): value is OutputFile => outputFile.safeParse(value).success;

export const historyEntry = z.object({
  prompt: queueItem,
  outputs: z.record(z.string(), z.record(z.string(), z.unknown())),
  status: z
    .object({
      status_str: z.string(),
      completed: z.boolean(),
      messages: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())])),
    })
    .nullish(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;
export const history = z.record(z.string(), historyEntry);

export const promptAccepted = z.object({ prompt_id: z.string().min(1).max(200) });

const nodeError = z.object({
  message: z.string(),
  details: z.string().default(''),
  extra_info: z.object({ input_name: z.string().optional() }).loose().default({}),
});
export const promptRefused = z.object({
  error: z.union([z.object({ message: z.string(), details: z.string().default('') }), z.string()]),
  // An empty list where there are none, in some versions.
  node_errors: z
    .union([
      z.record(z.string(), z.object({ class_type: z.string(), errors: z.array(nodeError) })),
      z.array(z.never()).transform(() => ({})),
    ])
    .default({}),
});
export type PromptRefused = z.infer<typeof promptRefused>;

export const uploaded = z.object({ name: z.string().min(1), subfolder: z.string().default('') });

const inputSpec = z.tuple([z.union([z.string(), z.array(z.unknown())])]).rest(z.unknown());
const inputSpecs = z.record(z.string(), inputSpec).default({});
export const nodeInfo = z.object({
  input: z.object({ required: inputSpecs, optional: inputSpecs }).prefault({}),
  output_node: z.boolean().default(false),
});
export type NodeInfo = z.infer<typeof nodeInfo>;
export const objectInfo = z.record(z.string(), nodeInfo);
