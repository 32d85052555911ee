import { type Clock, digestOf } from '@plinth/engine';
import {
  type FieldError,
  type McpServerDefinition,
  mcpServerDefinition,
  mcpServerKey,
  type Page,
  PlinthError,
  type TenantId,
} from '@plinth/protocol';
import type { McpServer as ServerRow } from '../../generated/prisma/client.js';
import type { TenantDatabase, TenantTransaction } from '../../platform/database/tenant-database.js';
import { fieldErrorsOf, sentenceOf } from '../../tenants/field-errors.js';
import { lockInTenant } from '../../tenants/lock-in-tenant.js';
import { WHOLE_TENANT } from '../../tenants/whole-tenant.js';

/** Who sets a server up: the operator by files, or the tenant by its API key. */
export type McpServerOrigin = 'operator' | 'tenant';

export interface McpServer {
  key: string;
  revision: number;
  origin: McpServerOrigin;
  definition: McpServerDefinition;
  /** Of the definition: equal digests mean the same server, reached in the same way. */
  digest: string;
  /** Milliseconds since the Unix epoch. */
  createdAt: number;
  updatedAt: number;
}

export interface McpServerChange {
  definition: unknown;
  origin: McpServerOrigin;
  /** The revision that the author saw; 0: none. Left out: whatever is there. */
  expectedRevision?: number | undefined;
}

export type CheckedMcpServer =
  | { ok: true; definition: McpServerDefinition }
  | { ok: false; fields: FieldError[] };

/** Checks a server's key and definition, whoever gives them. */
export function checkMcpServer(key: string, raw: unknown): CheckedMcpServer {
  const checkedKey = mcpServerKey.safeParse(key);
  const parsed = mcpServerDefinition.safeParse(raw);
  const fields = [
    ...(checkedKey.success
      ? []
      : fieldErrorsOf(checkedKey.error).map((field) => ({ ...field, path: 'key' }))),
    ...(parsed.success ? [] : fieldErrorsOf(parsed.error)),
  ];
  return parsed.success && fields.length === 0
    ? { ok: true, definition: parsed.data }
    : { ok: false, fields };
}

/** The MCP servers of a tenant. */
export class McpServers {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
  ) {}

  /** Null when there is none with this key. */
  async find(tenant: TenantId, key: string): Promise<McpServer | null> {
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.mcpServer.findUnique({ where: { tenantId_key: { tenantId: tenant, key } } }),
    );
    return row === null ? null : toServer(row);
  }

  /** By key. The cursor is the key of the last item. */
  async list(
    tenant: TenantId,
    page: { cursor?: string | undefined; limit: number },
  ): Promise<Page<McpServer>> {
    const rows = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.mcpServer.findMany({
        where: { tenantId: tenant, ...(page.cursor === undefined ? {} : { key: { gt: page.cursor } }) },
        orderBy: { key: 'asc' },
        take: page.limit + 1,
      }),
    );
    const items = rows.slice(0, page.limit).map(toServer);
    return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.key ?? null) : null };
  }

  /**
   * Sets a server up, or changes it. One that says the same already keeps its revision.
   *
   * @throws PlinthError `invalid_request` naming each field; `forbidden` when it is for the operator to do;
   *   `mcp_server_conflict` with the current revision
   */
  async put(
    tenant: TenantId,
    key: string,
    { definition: raw, origin, expectedRevision }: McpServerChange,
  ): Promise<{ server: McpServer; changed: boolean }> {
    const definition = checked(key, raw);
    if (origin === 'tenant' && definition.transport.kind === 'stdio') throw operatorOnly(key);
    const digest = digestOf(definition);
    return this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      const before = await this.#locked(tx, tenant, key, origin);
      const revision = before?.revision ?? 0;
      if (expectedRevision !== undefined && expectedRevision !== revision)
        throw conflict(key, expectedRevision, revision);
      if (before?.digest === digest) return { server: toServer(before), changed: false };
      const now = new Date(this.clock.now());
      const data = {
        revision: revision + 1,
        origin,
        definition: JSON.stringify(definition),
        digest,
        updatedAt: now,
      };
      const row = await tx.mcpServer.upsert({
        where: { tenantId_key: { tenantId: tenant, key } },
        create: { tenantId: tenant, key, createdAt: now, ...data },
        update: data,
      });
      return { server: toServer(row), changed: true };
    });
  }

  /**
   * Takes a server away. Tools that were imported from it stay registered, and fail as unavailable.
   *
   * @throws PlinthError `not_found`; `forbidden` when it is for the operator to do
   */
  async remove(tenant: TenantId, key: string, origin: McpServerOrigin): Promise<void> {
    await this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      if ((await this.#locked(tx, tenant, key, origin)) === null) throw noSuchServer(key);
      await tx.mcpServer.delete({ where: { tenantId_key: { tenantId: tenant, key } } });
    });
  }

  /** The row as it is, which nobody else changes until the end of the transaction. */
  async #locked(
    tx: TenantTransaction,
    tenant: TenantId,
    key: string,
    origin: McpServerOrigin,
  ): Promise<ServerRow | null> {
    await lockInTenant(tx, tenant, `mcp server ${key}`);
    const row = await tx.mcpServer.findUnique({ where: { tenantId_key: { tenantId: tenant, key } } });
    if (row?.origin === 'operator' && origin === 'tenant') throw operatorOnly(key);
    return row;
  }
}

export function noSuchServer(key: string): PlinthError {
  return new PlinthError('not_found', `There is no MCP server "${key}".`);
}

function checked(key: string, raw: unknown): McpServerDefinition {
  const result = checkMcpServer(key, raw);
  if (result.ok) return result.definition;
  const { fields } = result;
  throw new PlinthError(
    'invalid_request',
    `The MCP server was not registered. ${sentenceOf(fields)}.`,
    {},
    fields,
  );
}

function operatorOnly(key: string): PlinthError {
  return new PlinthError(
    'forbidden',
    `The MCP server "${key}" starts a process or was set up by the operator: only the operator changes it, by files.`,
  );
}

function conflict(key: string, expectedRevision: number, currentRevision: number): PlinthError {
  return new PlinthError(
    'mcp_server_conflict',
    `The MCP server "${key}" is at revision ${currentRevision}, not ${expectedRevision}. Read it, and change that.`,
    { expectedRevision, currentRevision },
  );
}

function toServer(row: ServerRow): McpServer {
  return {
    key: row.key,
    revision: row.revision,
    origin: row.origin as McpServerOrigin,
    definition: mcpServerDefinition.parse(JSON.parse(row.definition)),
    digest: row.digest,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}
