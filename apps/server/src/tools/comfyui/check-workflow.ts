import type { ComfyUiExecutorSpec, FieldError, JsonObject, ToolDefinition } from '@plinth/protocol';

/** What no call could work with later: places that the workflow does not have, and arguments that the tool does not. */
export function workflowProblems({ parameters }: ToolDefinition, spec: ComfyUiExecutorSpec): FieldError[] {
  return [
    ...linkProblems(spec),
    ...placeProblems(spec),
    ...outputProblems(spec),
    ...parameterProblems(parameters, spec),
  ];
}

const nodesOf = ({ workflow }: ComfyUiExecutorSpec): string => {
  const all = Object.entries(workflow).map(([id, { class_type }]) => `${id} (${class_type})`);
  return all.length > 20 ? `${all.slice(0, 20).join(', ')}, …` : all.join(', ');
};

/** Links to nodes that were left out when the workflow was copied. */
function linkProblems({ workflow }: ComfyUiExecutorSpec): FieldError[] {
  return Object.entries(workflow).flatMap(([node, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, value]) =>
      Array.isArray(value) && typeof value[0] === 'string' && value.length === 2 && !(value[0] in workflow)
        ? [
            {
              path: `executor.workflow.${node}.inputs.${input}`,
              message: `leads to node ${value[0]}, which is not in the workflow`,
            },
          ]
        : [],
    ),
  );
}

function placeProblems(spec: ComfyUiExecutorSpec): FieldError[] {
  const places = [
    ...spec.inputs.map((place, index) => ({ ...place, path: `executor.inputs.${index}` })),
    ...(spec.seed?.targets ?? []).map((place, index) => ({
      ...place,
      path: `executor.seed.targets.${index}`,
    })),
  ];
  const taken = new Map<string, string>();
  return places.flatMap(({ node, input, path }) => {
    const found = spec.workflow[node];
    if (!found)
      return [{ path: `${path}.node`, message: `is not in the workflow; its nodes are ${nodesOf(spec)}` }];
    if (!(input in found.inputs)) {
      const names = Object.keys(found.inputs).join(', ') || 'none';
      return [{ path: `${path}.input`, message: `is no input of node ${node}; its inputs are ${names}` }];
    }
    if (Array.isArray(found.inputs[input]))
      return [{ path: `${path}.input`, message: `is linked to another node; name one that holds a value` }];
    const place = JSON.stringify([node, input]);
    const other = taken.get(place);
    taken.set(place, path);
    return other === undefined ? [] : [{ path, message: `sets the same input as ${other}` }];
  });
}

function outputProblems(spec: ComfyUiExecutorSpec): FieldError[] {
  return spec.outputs.flatMap(({ node }, index) =>
    node in spec.workflow
      ? []
      : [
          {
            path: `executor.outputs.${index}.node`,
            message: `is not in the workflow; its nodes are ${nodesOf(spec)}`,
          },
        ],
  );
}

function parameterProblems(parameters: JsonObject, spec: ComfyUiExecutorSpec): FieldError[] {
  const { properties } = parameters;
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const used = [
    ...spec.inputs.map(({ parameter }, index) => ({ parameter, path: `executor.inputs.${index}.parameter` })),
    ...(spec.seed?.parameter === undefined
      ? []
      : [{ parameter: spec.seed.parameter, path: 'executor.seed.parameter' }]),
  ];
  const unknown = used.flatMap(({ parameter, path }) =>
    known.includes(parameter) ? [] : [{ path, message: `is not among the properties of parameters` }],
  );
  const unused = known
    .filter((name) => !used.some(({ parameter }) => parameter === name))
    .map((name) => ({ path: `parameters.properties.${name}`, message: 'goes nowhere in the workflow' }));
  return [...unknown, ...unused];
}
