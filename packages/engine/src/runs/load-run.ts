import type { TenantId } from '@plinth/protocol';
import type { EngineObserver } from '../observer.js';
import { completeFromLedger, sealedTurnCount } from '../snapshots/run-snapshot.js';
import type { SnapshotRead } from '../snapshots/snapshots.js';
import type { Claim, Ledger } from './ledger.js';
import type { RunState } from './run.js';

export interface LoadedRun {
  state: RunState;
  /** Snapshot segments that are stored already. */
  storedSegments: number;
}

/**
 * The state of a run that was just claimed: from its snapshot, completed with the rows that came with the claim, or
 * from the ledger alone. Both give the same state. A run that never began has no snapshot and is not counted as a
 * rebuild.
 *
 * @throws Error when the ledger has no such run
 */
export async function loadRun(
  { ledger, observer }: { ledger: Ledger; observer: EngineObserver },
  tenant: TenantId,
  claim: Claim,
  snapshot: Promise<SnapshotRead>,
): Promise<LoadedRun> {
  if (claim.conversation !== null)
    return { state: { ...claim.tail, ...claim.conversation }, storedSegments: 0 };
  const { outcome, state: saved, decodeMs } = await snapshot;
  observer.snapshotRead(tenant, outcome, decodeMs);
  if (saved) {
    const sealed = sealedTurnCount(saved);
    // A snapshot may be older than the last turns that are closed.
    const fromTurn = Math.min(sealed, claim.fromTurn);
    const tail =
      fromTurn < claim.fromTurn ? await ledger.loadTail(tenant, claim.run.id, fromTurn) : claim.tail;
    if (tail) {
      observer.resumed(tenant, 'snapshot');
      return { state: completeFromLedger(saved, tail, fromTurn), storedSegments: sealed + 1 };
    }
  }
  const state = await ledger.loadRun(tenant, claim.run.id);
  if (!state) throw new Error(`run ${claim.run.id} is not in the ledger`);
  observer.resumed(tenant, 'rebuild');
  return { state, storedSegments: 0 };
}
