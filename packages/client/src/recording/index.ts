export {
  createRecordedPlinth,
  type PlayUntil,
  type RecordedPlinth,
  type RecordedPlinthOptions,
} from './create-recorded-plinth.js';
export { type RecordOptions, recordThread } from './record-thread.js';
export type { RecordedRun, RecordedThread } from './recorded-thread.js';
export type { CapturedAnswer, CapturedSend } from './replay-server.js';
