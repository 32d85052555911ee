import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AgentCatalog, Ledger } from '@plinth/engine';
import { type CallbackSignature, type InterruptId, PlinthError, type TenantId } from '@plinth/protocol';
import type { TenantSecrets } from '../secrets/tenant-secrets.js';

const HEX = /^(?:sha256=)?([0-9a-f]{64})$/i;

/** Whether this is the signature of these bytes. Takes the same time for every wrong one. */
export function isSignedBy(secret: string, body: Uint8Array, signature: string): boolean {
  const [, hex] = HEX.exec(signature.trim()) ?? [];
  if (hex === undefined) return false;
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** Checks the callbacks of tools that want theirs signed. The address alone is enough for all others. */
export class CallbackSignatures {
  constructor(
    private readonly ledger: Pick<Ledger, 'findInterrupt'>,
    private readonly agents: Pick<AgentCatalog, 'version'>,
    private readonly secrets: Pick<TenantSecrets, 'reveal'>,
  ) {}

  /** @throws PlinthError `forbidden` when the callback is not signed as its tool wants it */
  async check(
    tenant: TenantId,
    interruptId: InterruptId,
    request: { header: (name: string) => string | undefined; body: () => Uint8Array },
  ): Promise<void> {
    const wanted = await this.#wanted(tenant, interruptId);
    if (!wanted) return;
    const { values } = await this.secrets.reveal(tenant, [wanted.secret]);
    const secret = values.get(wanted.secret);
    const given = request.header(wanted.header);
    if (secret !== undefined && given !== undefined && isSignedBy(secret, request.body(), given)) return;
    throw new PlinthError(
      'forbidden',
      secret === undefined
        ? `The tool wants its callbacks signed with the secret ${wanted.secret}, which cannot be read. Store it again.`
        : `The header "${wanted.header}" must hold the HMAC-SHA256 of the body in hex, made with the secret ${wanted.secret}.`,
      { header: wanted.header },
    );
  }

  async #wanted(tenant: TenantId, interruptId: InterruptId): Promise<CallbackSignature | undefined> {
    const found = await this.ledger.findInterrupt(tenant, { endUserId: null }, interruptId);
    if (!found) return undefined;
    const { tools } = await this.agents.version(tenant, found.run.agentVersionId);
    const executor = tools.find(({ key }) => key === found.call.tool)?.executor;
    return executor?.kind === 'remote' ? executor.signature : undefined;
  }
}
