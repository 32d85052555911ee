import type { RunId, TenantId } from '@plinth/protocol';
import type { EngineObserver } from '../observer.js';
import { completeFromLedger, sealedTurnCount } from '../snapshots/run-snapshot.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import type { Ledger } from './ledger.js';
import type { RunState } from './run.js';

export interface LoadedRun {
  state: RunState;
  /** Snapshot segments that are stored already. */
  storedSegments: number;
}

/**
 * Loads a run for a worker: from its snapshot, completed from the ledger with whatever it misses, or from the
 * ledger alone. Both give the same state. A run that never began has no snapshot and is not counted as a rebuild.
 *
 * @throws Error when the ledger has no such run
 */
export async function loadRun(
  ports: { ledger: Ledger; snapshots: Snapshots; observer: EngineObserver },
  tenant: TenantId,
  runId: RunId,
  resuming: boolean,
): Promise<LoadedRun> {
  const { ledger, snapshots, observer } = ports;
  const snapshot = resuming ? await snapshots.read(tenant, runId) : null;
  if (snapshot) {
    const sealed = sealedTurnCount(snapshot);
    const tail = await ledger.loadTail(tenant, runId, sealed);
    if (tail) {
      observer.resumed(tenant, 'snapshot');
      return { state: completeFromLedger(snapshot, tail, sealed), storedSegments: sealed + 1 };
    }
  }
  const state = await ledger.loadRun(tenant, runId);
  if (!state) throw new Error(`run ${runId} is not in the ledger`);
  if (resuming) observer.resumed(tenant, 'rebuild');
  return { state, storedSegments: 0 };
}
