import type { InterruptId, TenantId } from '@plinth/protocol';

/** Makes the one-time callback address of a remote job. The same interrupt gets the same address again. */
export interface CallbackTokens {
  issue(tenant: TenantId, interruptId: InterruptId): { tokenHash: string; url: string; progressUrl: string };
}
