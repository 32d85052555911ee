import {
  type JsonObject,
  type OpenApiImportRequest,
  type OpenApiImportResponse,
  PlinthError,
  type TenantId,
} from '@plinth/protocol';
import type { OutboundClient } from '../../platform/outbound/outbound-client.js';
import type { ToolRegistry } from '../tool-registry.js';
import { type ApiDocument, readDocument, refused } from './api-document.js';
import { type OperationTool, toolOf } from './operation-tool.js';
import { type ApiOperation, operationsOf } from './operations.js';

/** Bytes of a document. The largest public ones have ten; nobody offers a model all of these. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;
const MOST_OPERATIONS = 100;
const FETCH_TIMEOUT_MS = 20_000;

type Skipped = OpenApiImportResponse['skipped'][number];

/** Makes `http` tools of the operations of an OpenAPI document. */
export class OpenApiImporter {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly outbound: Pick<OutboundClient, 'send'>,
  ) {}

  /**
   * All tools are registered together, or none. What cannot be a tool is told and left out.
   *
   * @throws PlinthError `invalid_request` when the document cannot be read, or holds more operations than are
   *   imported at once
   */
  async import(tenant: TenantId, request: OpenApiImportRequest): Promise<OpenApiImportResponse> {
    const document = await this.#document(tenant, request.document);
    const { wanted, unknown } = choose(operationsOf(document), request.operations);
    const skipped: Skipped[] = unknown.map((id) =>
      skip({ id, method: '', path: '' }, ['is not in the document']),
    );
    const taken = new Map<string, { of: ApiOperation; tool: OperationTool & { ok: true } }>();
    for (const of of wanted) {
      const tool = toolOf(document, of, request);
      if (!tool.ok) {
        skipped.push(skip(of, tool.reasons));
        continue;
      }
      const key = String(tool.definition.key);
      const other = taken.get(key);
      if (other) skipped.push(skip(of, [`would have the same key as ${other.of.id}: ${key}`]));
      else taken.set(key, { of, tool });
    }
    const definitions = [...taken.values()].map(({ tool }) => tool.definition);
    const registered = await this.registry.registerAll(tenant, definitions, { dryRun: request.dryRun });
    const tools = registered.map(({ key, version, changed, warnings }) => {
      const { of, tool } = taken.get(key) ?? missing(key);
      return {
        ...named(of),
        key,
        version,
        action: changed
          ? version === 1
            ? ('create' as const)
            : ('update' as const)
          : ('unchanged' as const),
        warnings: [...tool.warnings, ...warnings],
        definition: tool.definition,
      };
    });
    return { dryRun: request.dryRun, tools, skipped };
  }

  async #document(tenant: TenantId, source: string | JsonObject): Promise<ApiDocument> {
    const url = typeof source === 'string' ? /^\s*(https?:\/\/\S+)\s*$/i.exec(source)?.[1] : undefined;
    if (url === undefined) return readDocument(source, null);
    const result = await this.outbound.send(
      tenant,
      {
        url,
        method: 'GET',
        headers: { accept: 'application/json, application/yaml, */*' },
        timeoutMs: FETCH_TIMEOUT_MS,
        maxRedirects: 5,
        plan: () => ({ maxBytes: MAX_DOCUMENT_BYTES, longer: 'refuse' }),
      },
      new AbortController().signal,
    );
    if (!result.ok) throw refused(`could not be fetched: its server ${result.failure.message}`);
    const { status, body, url: finalUrl } = result.response;
    if (status !== 200) throw refused(`could not be fetched: its server answered ${status}`);
    return readDocument(Buffer.from(body).toString('utf8'), finalUrl);
  }
}

function choose(
  all: readonly ApiOperation[],
  operations: OpenApiImportRequest['operations'],
): { wanted: ApiOperation[]; unknown: string[] } {
  if (operations === 'all') {
    if (all.length <= MOST_OPERATIONS) return { wanted: [...all], unknown: [] };
    const message = `The document has ${all.length} operations; at most ${MOST_OPERATIONS} are imported at once. Name those that the agents need.`;
    throw new PlinthError('invalid_request', message, {}, [
      { path: 'operations', message: 'name at most 100' },
    ]);
  }
  const names = new Set(operations);
  const isNamed = ({ id, method, path }: ApiOperation) => names.has(id) || names.has(`${method} ${path}`);
  const wanted = all.filter(isNamed);
  const found = new Set(wanted.flatMap(({ id, method, path }) => [id, `${method} ${path}`]));
  return { wanted, unknown: [...names].filter((name) => !found.has(name)) };
}

const named = ({ id, method, path }: Pick<ApiOperation, 'id' | 'method' | 'path'>) => ({
  operationId: id,
  method,
  path,
});
const skip = (of: Pick<ApiOperation, 'id' | 'method' | 'path'>, reasons: string[]): Skipped => ({
  ...named(of),
  reasons,
});

function missing(key: string): never {
  throw new Error(`the registry returned the tool ${key}, which it was not given`);
}
