import { conditionProblem, patternProblems, templateProblem, validateAgainst } from '@plinth/engine';
import {
  BUILTIN_DEFAULTS,
  executionLocationOf,
  type FieldError,
  type JsonObject,
  type ToolDefinition,
  toolDefinition,
} from '@plinth/protocol';
import { fieldErrorsOf } from '../tenants/field-errors.js';
import { unknownFields } from '../tenants/unknown-fields.js';
import { workflowProblems } from './comfyui/check-workflow.js';
import { httpProblems } from './http/check-http-tool.js';

export type CheckedTool = { ok: true; tool: ToolDefinition } | { ok: false; fields: FieldError[] };

/** Checks a tool definition before it is registered: its shape, and what no run could work with later. */
export function checkTool(raw: unknown): CheckedTool {
  const parsed = toolDefinition.safeParse(withBuiltinDefaults(raw));
  if (!parsed.success) return { ok: false, fields: fieldErrorsOf(parsed.error) };
  const tool = parsed.data;
  const fields = [
    // A workflow is another program's file, and may hold what we do not read.
    ...unknownFields(raw, tool).filter(({ path }) => !path.startsWith('executor.workflow.')),
    ...parameterProblems(tool.parameters),
    ...executorProblems(tool),
    ...conditionProblems(tool),
    ...executionProblems(tool),
    ...resultProblems(tool),
  ];
  return fields.length === 0 ? { ok: true, tool } : { ok: false, fields };
}

/** A builtin need not be described again by everybody who uses it: what its author leaves out is filled in. */
function withBuiltinDefaults(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || !('executor' in raw)) return raw;
  const { executor } = raw;
  if (typeof executor !== 'object' || executor === null || !('kind' in executor && 'name' in executor))
    return raw;
  const { kind, name } = executor;
  if (kind !== 'builtin' || typeof name !== 'string' || !Object.hasOwn(BUILTIN_DEFAULTS, name)) return raw;
  return { ...BUILTIN_DEFAULTS[name], ...raw };
}

function parameterProblems(parameters: JsonObject): FieldError[] {
  if (parameters.type !== 'object') {
    return [{ path: 'parameters.type', message: 'must be "object": models send arguments by name' }];
  }
  return schemaProblems('parameters', parameters);
}

function executorProblems(tool: ToolDefinition): FieldError[] {
  const { executor, parameters } = tool;
  switch (executor.kind) {
    case 'http':
      return httpProblems(executor, parameters);
    case 'component':
      return schemaProblems('executor.submit', executor.submit);
    case 'remote':
      return (['url', 'cancelUrl'] as const)
        .filter((name) => !/^https?:\/\//i.test(executor[name] ?? 'https://'))
        .map((name) => ({ path: `executor.${name}`, message: 'must be an http or https URL' }));
    case 'builtin':
    case 'mcp':
    case 'frontend':
      return [];
    case 'mcp_directory':
      return [
        { path: 'executor.kind', message: 'is for agents that name MCP servers: put them under "mcp" there' },
      ];
    case 'comfyui':
      return workflowProblems(tool, executor);
  }
}

function conditionProblems({ requireConfirmation }: ToolDefinition): FieldError[] {
  if (typeof requireConfirmation === 'string') return [];
  const problem = conditionProblem(requireConfirmation.when);
  return problem === null ? [] : [{ path: 'requireConfirmation.when', message: problem }];
}

/** What is about executions says nothing about a tool that nobody executes. */
function executionProblems(tool: ToolDefinition): FieldError[] {
  return [...limitProblems(tool), ...cacheProblems(tool)];
}

function cacheProblems({ cache = 'none', idempotent, executor }: ToolDefinition): FieldError[] {
  if (cache === 'none') return [];
  const problems = [
    ...(executionLocationOf(executor) === 'server' ? [] : ['the server has to carry it out']),
    ...(idempotent ? [] : ['it has to be idempotent']),
  ];
  return problems.map((problem) => ({ path: 'cache', message: `cannot be kept: ${problem}` }));
}

function limitProblems({ executor, rateLimit }: ToolDefinition): FieldError[] {
  if (executionLocationOf(executor) !== 'client' || rateLimit === undefined) return [];
  return [
    { path: 'rateLimit', message: `a ${executor.kind} is shown to a person; there is nothing to limit` },
  ];
}

function resultProblems({ output, result: { summary } }: ToolDefinition): FieldError[] {
  const problem = summary === undefined ? null : templateProblem(summary);
  return [
    ...(output === undefined ? [] : schemaProblems('output', output)),
    ...(problem === null ? [] : [{ path: 'result.summary', message: problem }]),
  ];
}

function schemaProblems(path: string, schema: JsonObject): FieldError[] {
  try {
    validateAgainst(schema, null);
    return patternProblems(schema, path);
  } catch (error) {
    return [
      { path, message: `is not a JSON Schema: ${error instanceof Error ? error.message : String(error)}` },
    ];
  }
}
