import type { ArtifactStore } from '../artifacts/artifact-store.js';
import type { AttachmentSource } from '../attachments/attachment-source.js';
import type { Clock } from '../clock.js';
import type { EventWriter } from '../events/event-writer.js';
import type { IdSource } from '../id-source.js';
import type { EndPorts } from './after-end.js';
import type { Ledger } from './ledger.js';
import type { Scheduler } from './scheduler.js';

/** What the ways into the engine from outside need. */
export interface DoorPorts extends EndPorts {
  ledger: Ledger;
  writer: EventWriter;
  scheduler: Scheduler;
  ids: IdSource;
  clock: Clock;
  artifacts: ArtifactStore;
  attachments: AttachmentSource;
}
