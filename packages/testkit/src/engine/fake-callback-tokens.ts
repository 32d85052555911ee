import type { CallbackTokens } from '@plinth/engine';
import type { InterruptId, TenantId } from '@plinth/protocol';

/** Callback addresses that name their interrupt, so that a fake job can answer it. */
export class FakeCallbackTokens implements CallbackTokens {
  issue(tenant: TenantId, interruptId: InterruptId): { tokenHash: string; url: string; progressUrl: string } {
    const url = `callback:${tenant}/${interruptId}`;
    return { tokenHash: `hash of ${url}`, url, progressUrl: `${url}/progress` };
  }
}

/** The interrupt that a fake callback address is of. */
export function interruptOf(callbackUrl: string): InterruptId {
  return (callbackUrl.split('/')[1] ?? '') as InterruptId;
}
