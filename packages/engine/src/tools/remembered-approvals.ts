import type { TenantId, ThreadId } from '@plinth/protocol';
import type { Viewer } from '../runs/ledger.js';
import type { RememberedApproval } from './approval.js';

/**
 * The approvals that hold for whole threads. They are written by the decision that uses the answer (`approval.remember`),
 * so that none is lost; read when a call is about to be made, so that one that was withdrawn no longer counts.
 */
export interface RememberedApprovals {
  /** Those of this thread, oldest first; none of a thread that the viewer may not see. */
  remembered(tenant: TenantId, viewer: Viewer, threadId: ThreadId): Promise<RememberedApproval[]>;
}
