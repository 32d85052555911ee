import type { TenantId } from '@plinth/protocol';
import type { TenantConfigSource } from '../config/tenant-config-source.js';
import type { EventLog } from '../events/event-log.js';
import type { EngineObserver } from '../observer.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import type { Run } from './run.js';

export interface RetirePorts {
  config: TenantConfigSource;
  snapshots: Snapshots;
  log: EventLog;
  observer: EngineObserver;
}

/**
 * Shortens the lives of an ended run's snapshot and event log, whoever ended it. A failure is reported and
 * swallowed: they would only be kept longer.
 */
export async function retireRun(
  { config, snapshots, log, observer }: RetirePorts,
  tenant: TenantId,
  run: Pick<Run, 'id' | 'messageId'>,
): Promise<void> {
  try {
    const { ttl } = (await config.current(tenant)).forAgent({});
    await snapshots.keepFor(tenant, run.id, ttl.endedSnapshotSeconds);
    await log.keepFor(tenant, { kind: 'message', id: run.messageId }, ttl.endedEventsSeconds);
  } catch (error) {
    observer.problem(tenant, { runId: run.id, doing: 'shorten the lives of an ended run' }, error);
  }
}
