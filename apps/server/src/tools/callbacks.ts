import type { InterruptId, TenantId } from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { hashCallbackToken, looksLikeCallbackToken } from './callback-token.js';

/** Finds what a callback is about. Whether the interrupt is still open is for the ledger to say, under its lock. */
export class Callbacks {
  constructor(private readonly database: TenantDatabase) {}

  /** Null when no interrupt has this token. */
  async find(token: string): Promise<{ tenant: TenantId; interruptId: InterruptId } | null> {
    if (!looksLikeCallbackToken(token)) return null;
    const [found] = await this.database.platform().$queryRaw<
      { tenant_id: TenantId; interrupt_id: InterruptId }[]
    >`
      SELECT tenant_id, interrupt_id FROM plinth.find_callback(${hashCallbackToken(token)})`;
    return found === undefined ? null : { tenant: found.tenant_id, interruptId: found.interrupt_id };
  }
}
