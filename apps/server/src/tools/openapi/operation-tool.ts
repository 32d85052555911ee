import type { JsonObject, OpenApiImportRequest } from '@plinth/protocol';
import { checkTool } from '../check-tool.js';
import { type ApiDocument, ImportProblem, isObject, resolved } from './api-document.js';
import { authOf } from './operation-auth.js';
import { inputsOf } from './operation-inputs.js';
import type { ApiOperation } from './operations.js';
import { serverUrlOf } from './server-url.js';

export type OperationTool =
  | { ok: true; definition: JsonObject; warnings: string[] }
  | { ok: false; reasons: string[] };

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** RFC 9110, 9.2.2, without what has no tool. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);
const LONGEST = { key: 64, title: 100, description: 4000 };

/** An operation as an `http` tool, or why it cannot be one. */
export function toolOf(
  document: ApiDocument,
  of: ApiOperation,
  request: OpenApiImportRequest,
): OperationTool {
  try {
    const { definition, warnings } = definitionOf(document, of, request);
    const checked = checkTool(definition);
    if (checked.ok) return { ok: true, definition, warnings };
    return {
      ok: false,
      reasons: checked.fields.map(({ path, message }) => `would be a tool whose ${path} ${message}`),
    };
  } catch (error) {
    if (error instanceof ImportProblem) return { ok: false, reasons: [error.message] };
    throw error;
  }
}

/** The key of an operation's tool. */
export function keyOf(id: string, prefix: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^[^A-Za-z]+|_+$/g, '') || 'operation';
  return (prefix === '' ? plain : `${prefix}_${plain}`).slice(0, LONGEST.key);
}

function definitionOf(document: ApiDocument, of: ApiOperation, request: OpenApiImportRequest) {
  const { method, operation } = of;
  if (!METHODS.has(method)) throw new ImportProblem(`is ${method}, which no tool can send`);
  if (answersWithEvents(document, operation))
    throw new ImportProblem('answers with an event stream, which has no end');
  const inputs = inputsOf(document, of);
  const auth = authOf(document, of, request.auth);
  const { requireConfirmation: wanted, prefix } = request;
  const definition: JsonObject = {
    key: keyOf(of.id, prefix),
    title: cut(textOf(operation.summary) || of.id, LONGEST.title),
    description: cut(descriptionOf(of), LONGEST.description),
    parameters: inputs.parameters,
    executor: {
      kind: 'http',
      method,
      url: `${serverUrlOf(document, of, request.baseUrl)}${inputs.path}`,
      headers: { ...inputs.headers, ...auth.headers },
      query: { ...inputs.query, ...auth.query },
      ...(inputs.body === null ? {} : { body: inputs.body.value, bodyAs: inputs.body.as }),
    },
    requireConfirmation: wanted === 'writes' ? (method === 'GET' ? 'never' : 'always') : wanted,
    idempotent: IDEMPOTENT.has(method),
  };
  const deprecated = operation.deprecated === true ? ['the operation is deprecated'] : [];
  return { definition, warnings: [...inputs.warnings, ...auth.warnings, ...deprecated] };
}

function answersWithEvents(document: ApiDocument, { responses }: JsonObject): boolean {
  return Object.entries(isObject(responses) ? responses : {}).some(([status, written]) => {
    const { content } = /^2/.test(status) ? resolved(document, written) : {};
    return isObject(content) && Object.keys(content).some((type) => /^text\/event-stream\b/i.test(type));
  });
}

function descriptionOf({ operation, method, path }: ApiOperation): string {
  const said = [textOf(operation.summary), textOf(operation.description)].filter((text) => text !== '');
  return said.length === 0 ? `${method} ${path}` : said.join('\n\n');
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
