import type { AgentCatalog } from '../agent-catalog.js';
import type { Clock } from '../clock.js';
import type { EventWriter } from '../events/event-writer.js';
import type { IdSource } from '../id-source.js';
import type { Ledger } from './ledger.js';
import type { RetirePorts } from './retire-run.js';
import type { Scheduler } from './scheduler.js';

/** What the ways into the engine from outside need. */
export interface DoorPorts extends RetirePorts {
  ledger: Ledger;
  writer: EventWriter;
  scheduler: Scheduler;
  agents: AgentCatalog;
  ids: IdSource;
  clock: Clock;
}
