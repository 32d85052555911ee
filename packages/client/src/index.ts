export type { ArtifactContent, Artifacts, SaveArtifactOptions } from './artifacts/artifact-api.js';
export { type ArtifactConflict, readArtifactConflict } from './artifacts/read-artifact-conflict.js';
export { createPlinth } from './create-plinth.js';
export {
  type ClientErrorCode,
  type LocalErrorCode,
  PlinthClientError,
  type PlinthClientErrorInit,
} from './errors/plinth-client-error.js';
export type {
  FrontendTool,
  FrontendToolContext,
  FrontendToolSpec,
  FrontendTools,
  ToolPermission,
} from './frontend/frontend-tool.js';
export type { StandardSchema } from './frontend/standard-schema.js';
export type { Auth, RequestSeam } from './http/seams.js';
export { emptyMessageView } from './message/empty-message-view.js';
export type { FollowLogOptions } from './message/follow-log.js';
export { type Fold, foldEntries, type MessageLog } from './message/message-log.js';
export { isEnded, reduceMessage } from './message/reduce-message.js';
export {
  createLocalStorageOutbox,
  createMemoryOutbox,
  type LocalStorageOutboxOptions,
  type OutboxStorage,
} from './outbox/outbox-storage.js';
export type { Plinth, PlinthOptions } from './plinth.js';
export type { RunContext } from './runs/run-context.js';
export type { StreamSharing } from './stream/stream-sharing.js';
export { type ChatAttachment, type SendAttachment, selectAttachments } from './thread/attachments.js';
export { reduceThread } from './thread/reduce-thread.js';
export { type Branches, selectBranches } from './thread/select-branches.js';
export {
  type InterruptStatus,
  type RunState,
  selectActiveView,
  selectArtifacts,
  selectInterruptStatus,
  selectOpenInterrupts,
  selectRun,
  selectToolQuestions,
} from './thread/select-thread.js';
export type { ThreadAction } from './thread/thread-action.js';
export type { ThreadListState, Threads } from './thread/thread-list-api.js';
export type { SendInput, ThreadSession } from './thread/thread-session-api.js';
export {
  type ChangedArtifact,
  type ChatMessage,
  type Connection,
  initialThreadState,
  type ThreadPhase,
  type ThreadState,
} from './thread/thread-state.js';
export type { Wait } from './time/timing.js';
export type { UploadOptions } from './uploads/upload-file.js';
