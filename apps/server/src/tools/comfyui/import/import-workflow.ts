import {
  type ComfyUiWorkflow,
  comfyuiWorkflow,
  type FieldError,
  type JsonObject,
  PlinthError,
  type TenantId,
  toolDefinition,
} from '@plinth/protocol';
import { fieldErrorsOf, sentenceOf } from '../../../tenants/field-errors.js';
import { checkTool } from '../../check-tool.js';
import type { ToolRegistry } from '../../tool-registry.js';
import { HostProblem } from '../comfyui-host.js';
import type { NodeInfo } from '../host-answers.js';
import { type HostPool, rankHosts } from '../host-pool.js';
import type { ImportRequest, ImportResponse } from './import-request.js';
import { parameterSchema } from './parameter-schema.js';

/** Milliseconds for all questions to hosts. */
const CHECK_MS = 20_000;
/** What ComfyUI's own nodes call a seed. */
const SEEDS = new Set(['seed', 'noise_seed']);

interface KnownNodes {
  host: string;
  classes: ReadonlyMap<string, NodeInfo>;
}

/** Publishes an existing ComfyUI workflow as a tool of the tenant. */
export class WorkflowImport {
  constructor(
    private readonly hosts: HostPool,
    private readonly registry: ToolRegistry,
  ) {}

  /** @throws PlinthError `invalid_request`, naming every field that is wrong; nothing is registered then */
  async publish(tenant: TenantId, request: ImportRequest): Promise<ImportResponse> {
    const workflow = readWorkflow(request.workflow);
    const { known, warnings } = await this.#askHosts(tenant, request.hosts, workflow);
    const problems = known ? hostProblems(workflow, request, known) : [];
    const parameters = parametersOf(workflow, request, known, problems);
    const { workflow: _given, hosts, inputs, outputs, seed, hostTimeoutSeconds, ...tool } = request;
    const checked = checkTool({
      ...tool,
      parameters,
      executor: {
        kind: 'comfyui',
        hosts,
        workflow,
        inputs: inputs.map(({ parameter, node, input, kind }) => ({ parameter, node, input, kind })),
        outputs,
        ...(seed ? { seed } : {}),
        hostTimeoutSeconds,
      },
    });
    if (!checked.ok) problems.push(...checked.fields.map(asInRequest));
    if (problems.length > 0) return refuse(problems);
    const definition = toolDefinition.parse(checked.ok ? checked.tool : undefined);
    const registered = await this.registry.register(tenant, definition);
    return {
      ...registered,
      checkedAgainst: known?.host ?? null,
      warnings: [...warnings, ...seedWarnings(workflow, request)],
      tool: definition,
    };
  }

  /** The node classes at the first host that answers. */
  async #askHosts(
    tenant: TenantId,
    names: readonly string[],
    workflow: ComfyUiWorkflow,
  ): Promise<{ known: KnownNodes | null; warnings: string[] }> {
    const { hosts, unknown } = await this.hosts.resolve(tenant, names);
    if (unknown.length > 0)
      return refuse(
        unknown.map((name) => ({
          path: `hosts.${names.indexOf(name)}`,
          message: `"${name}" is not among comfyui.hosts of the configuration; add it there, or give a URL`,
        })),
      );
    const signal = AbortSignal.timeout(CHECK_MS);
    const wanted = Object.values(workflow).map(({ class_type }) => class_type);
    const { ranked, problems } = await rankHosts(hosts, signal);
    for (const host of ranked) {
      try {
        return { known: { host: host.url, classes: await host.nodeInfo(wanted, signal) }, warnings: [] };
      } catch (error) {
        if (!(error instanceof HostProblem) && !signal.aborted) throw error;
      }
    }
    const why = problems.length > 0 ? ` (${problems.join('; ')})` : '';
    const warning = `No host answered${why}. The types of the arguments were taken from the values in the workflow, and its nodes were not checked.`;
    return { known: null, warnings: [warning] };
  }
}

function readWorkflow(raw: JsonObject): ComfyUiWorkflow {
  if (Array.isArray(raw.nodes) && Array.isArray(raw.links))
    return refuse([
      {
        path: 'workflow',
        message: 'is in the format of the editor; export it with "Export (API)" and send that',
      },
    ]);
  const parsed = comfyuiWorkflow.safeParse(raw);
  if (parsed.success) return parsed.data;
  return refuse(
    fieldErrorsOf(parsed.error).map(({ path, message }) => ({
      path: path === '' ? 'workflow' : `workflow.${path}`,
      message,
    })),
  );
}

/** What the host lacks, and outputs that are none. */
function hostProblems(workflow: ComfyUiWorkflow, request: ImportRequest, known: KnownNodes): FieldError[] {
  const missing = Object.entries(workflow)
    .filter(([, { class_type }]) => !known.classes.has(class_type))
    .map(([node, { class_type }]) => ({
      path: `workflow.${node}.class_type`,
      message: `the host ${known.host} has no node "${class_type}"; install what brings it`,
    }));
  const isOutput = (node: string) => known.classes.get(workflow[node]?.class_type ?? '')?.output_node;
  const outputs = Object.keys(workflow).filter(isOutput);
  const wrong = request.outputs.flatMap(({ node }, index) =>
    isOutput(node) === false
      ? [
          {
            path: `outputs.${index}.node`,
            message: `is no output node; those of the workflow are ${outputs.join(', ') || 'none'}`,
          },
        ]
      : [],
  );
  return [...missing, ...wrong];
}

/** The schema of the arguments. What is wrong is added to the problems. */
function parametersOf(
  workflow: ComfyUiWorkflow,
  { inputs, seed }: ImportRequest,
  known: KnownNodes | null,
  problems: FieldError[],
): JsonObject {
  const properties: JsonObject = {};
  for (const [index, mapping] of inputs.entries()) {
    const node = workflow[mapping.node];
    const value = node?.inputs[mapping.input];
    // Said by the check of the tool as a whole.
    if (!node || value === undefined || Array.isArray(value)) {
      properties[mapping.parameter] = {};
      continue;
    }
    const made = parameterSchema(mapping, known?.classes.get(node.class_type), value);
    if (made.ok) properties[mapping.parameter] ??= made.schema;
    else problems.push({ path: `inputs.${index}.input`, message: made.problem });
  }
  if (seed?.parameter !== undefined)
    properties[seed.parameter] ??= {
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The same number gives the same result again. Leave it out for a new one.',
    };
  const required = [...new Set(inputs.filter((one) => one.required).map(({ parameter }) => parameter))];
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A seed that nobody sets gives every call the same product, which the host even takes from its cache. */
function seedWarnings(workflow: ComfyUiWorkflow, { inputs, seed }: ImportRequest): string[] {
  const set = [...inputs, ...(seed?.targets ?? [])].map(({ node, input }) => `${node} ${input}`);
  return Object.entries(workflow).flatMap(([node, { inputs: values }]) =>
    Object.entries(values)
      .filter(
        ([input, value]) =>
          SEEDS.has(input) && typeof value === 'number' && !set.includes(`${node} ${input}`),
      )
      .map(
        ([input, value]) =>
          `Node ${node} keeps its ${input} ${String(value)} in every call. Name it in seed.targets to get something new each time.`,
      ),
  );
}

const asInRequest = ({ path, message }: FieldError): FieldError => ({
  path: path.replace(/^executor\./, ''),
  message,
});

function refuse(fields: FieldError[]): never {
  throw new PlinthError(
    'invalid_request',
    `The workflow was not published. ${sentenceOf(fields)}.`,
    {},
    fields,
  );
}
