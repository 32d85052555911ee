export { createPlinth } from './create-plinth.js';
export {
  type ClientErrorCode,
  type LocalErrorCode,
  PlinthClientError,
  type PlinthClientErrorInit,
} from './errors/plinth-client-error.js';
export type { FrontendTool, FrontendToolContext, FrontendTools } from './frontend/frontend-tool.js';
export { emptyMessageView } from './message/empty-message-view.js';
export { type Fold, foldEntries, type MessageLog } from './message/message-log.js';
export { isEnded, reduceMessage } from './message/reduce-message.js';
export type { ArtifactContent, Auth, Plinth, PlinthOptions, RequestSeam, Wait } from './plinth.js';
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
} from './thread/select-thread.js';
export type { ThreadAction } from './thread/thread-action.js';
export type { ThreadListState, Threads } from './thread/thread-list-api.js';
export type { SendInput, ThreadSession } from './thread/thread-session-api.js';
export {
  type ChatMessage,
  type Connection,
  initialThreadState,
  type ThreadPhase,
  type ThreadState,
} from './thread/thread-state.js';
