import { createHash } from 'node:crypto';
import type { ArtifactStore } from '@plinth/engine';
import type { ComfyUiExecutorSpec, EndUserId, JsonObject, TenantId } from '@plinth/protocol';
import type { TenantDatabase } from '../../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../../tenants/whole-tenant.js';

/** A file that has to be at the host before the workflow runs. */
export interface InputFile {
  parameter: string;
  /** Its name there: the same for the same bytes of a tenant, and not to be guessed by another one. */
  name: string;
  mimeType: string;
  bytes: Uint8Array;
}

export type InputFiles = { ok: true; files: InputFile[] } | { ok: false; problem: string };

/** Bytes of one file that is uploaded. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads the artifacts that arguments name. What the person of the run may not see is not there. */
export class InputFileReader {
  constructor(
    private readonly database: TenantDatabase,
    private readonly store: ArtifactStore,
  ) {}

  /** `problem` is for the model: which argument, and what to do. */
  async read(
    tenant: TenantId,
    runId: string,
    { inputs }: Pick<ComfyUiExecutorSpec, 'inputs'>,
    values: JsonObject,
  ): Promise<InputFiles> {
    const wanted = inputs.filter(({ kind, parameter }) => kind !== 'value' && values[parameter] != null);
    if (wanted.length === 0) return { ok: true, files: [] };
    const endUserId = await this.#personOf(tenant, runId);
    const files: InputFile[] = [];
    for (const { parameter, kind } of wanted) {
      const id = values[parameter];
      const row =
        typeof id === 'string'
          ? await this.database.inTenant(tenant, { endUserId }, (tx) =>
              tx.artifact.findUnique({ where: { tenantId_id: { tenantId: tenant, id } } }),
            )
          : null;
      if (row === null)
        return problem(
          `${parameter}: there is no artifact ${JSON.stringify(id)}. Pass the id of one in this conversation.`,
        );
      if (row.kind !== kind)
        return problem(`${parameter}: ${row.id} is of kind ${row.kind}, wanted is ${kind}.`);
      if (row.sizeBytes > MAX_BYTES)
        return problem(
          `${parameter}: ${row.id} has ${row.sizeBytes} bytes, at most ${MAX_BYTES} can be used.`,
        );
      const bytes = await this.store.get(tenant, row.storageKey);
      files.push({ parameter, mimeType: row.mimeType, bytes, name: nameOf(tenant, row) });
    }
    return { ok: true, files };
  }

  async #personOf(tenant: TenantId, runId: string): Promise<EndUserId> {
    const { endUserId } = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.run.findUniqueOrThrow({
        where: { tenantId_id: { tenantId: tenant, id: runId } },
        select: { endUserId: true },
      }),
    );
    return endUserId as EndUserId;
  }
}

const problem = (text: string): InputFiles => ({ ok: false, problem: text });

function nameOf(tenant: TenantId, { sha256, mimeType }: { sha256: string; mimeType: string }): string {
  const hash = createHash('sha256').update(`${tenant}\n${sha256}`).digest('hex').slice(0, 40);
  const extension = mimeType.split('/')[1]?.replace(/^x-/, '').replace(/\W.*$/, '') ?? 'bin';
  return `${hash}.${extension === 'mpeg' ? 'mp3' : extension}`;
}
