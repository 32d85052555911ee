import { createHash } from 'node:crypto';
import {
  type FieldError,
  type JsonObject,
  jsonObject,
  type McpServerDefinition,
  type ToolDefinition,
} from '@plinth/protocol';
import { z } from 'zod';
import { fieldErrorsOf } from '../../tenants/field-errors.js';
import { type CheckedTool, checkTool } from '../check-tool.js';
import { endpointProblems, forEndpoints } from './endpoint-schema.js';
import { isTaken } from './is-taken.js';

/** One tool as its server describes it. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  /** Of its structured results. */
  outputSchema: JsonObject | null;
  /** What the server says of its own tool. Not proved by anything. */
  hints: { readOnly: boolean; destructive: boolean; idempotent: boolean };
}

/** A tool that cannot be offered, and why. */
export interface RefusedTool {
  tool: string;
  problems: FieldError[];
}

export interface McpToolList {
  tools: McpTool[];
  refused: RefusedTool[];
}

/** When a person has to agree before a tool runs: as the tool's hints say, or in any case. */
export type ConfirmPolicy = 'by_hints' | 'always' | 'never';

/** Most bytes of a schema as JSON. That of the arguments is sent with every request to the model. */
const LARGEST_SCHEMA_BYTES = 32 * 1024;
const LONGEST_DESCRIPTION = 4000;
const LONGEST_TITLE = 100;
const LONGEST_KEY = 64;

const described = z.object({
  name: z.string().min(1).max(200),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.optional(),
  annotations: z
    .object({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
    })
    .optional(),
});

/** Reads a server's list, each tool on its own. What the registration leaves out is left out. */
export function readTools(
  raw: readonly unknown[],
  taken: Pick<McpServerDefinition, 'include' | 'exclude'>,
): McpToolList {
  const list: McpToolList = { tools: [], refused: [] };
  raw.forEach((one, place) => {
    const parsed = described.safeParse(one);
    const name =
      z.object({ name: z.string() }).safeParse(one).data?.name ?? `number ${place + 1} of the list`;
    if (!isTaken(name, taken)) return;
    const problems = parsed.success ? schemaProblems(parsed.data) : fieldErrorsOf(parsed.error);
    if (parsed.success && problems.length === 0) list.tools.push(toTool(parsed.data));
    else list.refused.push({ tool: name.slice(0, 200), problems });
  });
  return list;
}

function schemaProblems({ inputSchema, outputSchema = {} }: z.infer<typeof described>): FieldError[] {
  const tooLarge = Object.entries({ inputSchema, outputSchema }).flatMap(([path, schema]) => {
    const sizeBytes = Buffer.byteLength(JSON.stringify(schema));
    const message = `has ${sizeBytes} bytes; at most ${LARGEST_SCHEMA_BYTES} are taken`;
    return sizeBytes > LARGEST_SCHEMA_BYTES ? [{ path, message }] : [];
  });
  return tooLarge.length > 0 ? tooLarge : endpointProblems(inputSchema);
}

function toTool({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations = {},
}: z.infer<typeof described>): McpTool {
  const shown = (title ?? annotations.title ?? '').trim() || name;
  return {
    name,
    title: cut(shown, LONGEST_TITLE),
    description: cut((description ?? '').trim() || shown, LONGEST_DESCRIPTION),
    inputSchema: forEndpoints(inputSchema),
    outputSchema: outputSchema ?? null,
    // What the specification says of a tool that says nothing.
    hints: {
      readOnly: annotations.readOnlyHint ?? false,
      destructive: annotations.destructiveHint ?? true,
      idempotent: annotations.idempotentHint ?? false,
    },
  };
}

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** A key for these words: what a key cannot hold becomes `_`, and what would be too long ends in its digest. */
export function keyOf(words: string): string {
  const plain = words.replace(/[^a-zA-Z0-9_-]/g, '_');
  const key = /^[a-zA-Z]/.test(plain) ? plain : `t_${plain}`;
  if (key.length <= LONGEST_KEY) return key;
  const digest = createHash('sha256').update(words).digest('hex').slice(0, 8);
  return `${key.slice(0, LONGEST_KEY - 9)}_${digest}`;
}

export interface NamedServer {
  key: string;
  definition: Pick<McpServerDefinition, 'timeoutMs'>;
}

/** The definition under which a tool is registered or offered, or why there can be none. */
export function definitionOf(
  server: NamedServer,
  { name, title, description, inputSchema, outputSchema, hints }: McpTool,
  key: string,
  confirm: ConfirmPolicy,
): CheckedTool {
  const isHarmless = hints.readOnly || !hints.destructive;
  const requireConfirmation: ToolDefinition['requireConfirmation'] =
    confirm === 'by_hints' ? (isHarmless ? 'never' : 'always') : confirm;
  return checkTool({
    key,
    title,
    description,
    parameters: inputSchema,
    ...(outputSchema === null ? {} : { output: outputSchema }),
    executor: { kind: 'mcp', server: server.key, tool: name },
    requireConfirmation,
    idempotent: hints.readOnly || hints.idempotent,
    timeoutMs: server.definition.timeoutMs,
  });
}
