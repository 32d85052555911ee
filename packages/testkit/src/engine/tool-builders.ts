import {
  type FrontendExecutorSpec,
  type JsonObject,
  type ToolDefinition,
  type ToolDefinitionInput,
  toolDefinition,
} from '@plinth/protocol';

type Rest = Partial<Omit<ToolDefinitionInput, 'key' | 'executor'>>;

const ANYTHING: JsonObject = { type: 'object' };

function aTool(key: string, executor: ToolDefinition['executor'], rest: Rest): ToolDefinition {
  const named = { key, title: `Title of ${key}`, description: `What ${key} does.`, parameters: ANYTHING };
  return toolDefinition.parse({ ...named, executor, ...rest });
}

/** A tool that runs inside the worker. */
export function aServerTool(key: string, rest: Rest = {}): ToolDefinition {
  return aTool(key, { kind: 'builtin', name: 'current_time' }, rest);
}

/** A tool that a job service carries out and answers by a callback. */
export function aRemoteTool(key: string, rest: Rest = {}): ToolDefinition {
  return aTool(key, { kind: 'remote', url: 'https://jobs.example/jobs' }, rest);
}

/** A tool that a person answers in a component of the host page. */
export function aComponentTool(
  key: string,
  { submit = {}, props = {}, ...rest }: Rest & { submit?: JsonObject; props?: JsonObject } = {},
): ToolDefinition {
  return aTool(key, { kind: 'component', component: `Component of ${key}`, props, submit }, rest);
}

/** A tool that queues a workflow at a ComfyUI host, where it is looked for before it is queued again. */
export function aComfyUiTool(key: string, rest: Rest = {}): ToolDefinition {
  const executor = {
    kind: 'comfyui' as const,
    hosts: ['https://comfyui.example'],
    workflow: { '1': { class_type: 'SaveImage', inputs: {} } },
    inputs: [],
    outputs: [{ node: '1', as: 'files' as const }],
    hostTimeoutSeconds: 60,
  };
  return aTool(key, executor, rest);
}

/** A tool that a page of the person's runs. */
export function aFrontendTool(
  key: string,
  {
    recovery = 'ask',
    claimTimeoutSeconds = 60,
    leaseSeconds = 20,
    ...rest
  }: Rest & Partial<Omit<FrontendExecutorSpec, 'kind' | 'handler'>> = {},
): ToolDefinition {
  const handler = `Handler of ${key}`;
  return aTool(key, { kind: 'frontend', handler, recovery, claimTimeoutSeconds, leaseSeconds }, rest);
}
