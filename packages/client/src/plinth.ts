import type { JsonObject, TurnRequestView, UploadView } from '@plinth/protocol';
import type { Artifacts } from './artifacts/artifact-api.js';
import type { FrontendToolSpec, FrontendTools } from './frontend/frontend-tool.js';
import type { Auth, RequestSeam } from './http/seams.js';
import type { FollowLogOptions } from './message/follow-log.js';
import type { OutboxStorage } from './outbox/outbox-storage.js';
import type { RunContext } from './runs/run-context.js';
import type { StreamSharing } from './stream/stream-sharing.js';
import type { Threads } from './thread/thread-list-api.js';
import type { ThreadSession } from './thread/thread-session-api.js';
import type { Wait } from './time/timing.js';
import type { UploadOptions } from './uploads/upload-file.js';

export type PlinthOptions = {
  /** Where the API is: `https://api.example.com`, a path such as `/plinth`, or `''` for the page's origin. */
  baseUrl: string;
  /** Bearer tokens. A 401 asks for a new one once, however many calls were refused. */
  auth?: Auth;
  /** The one seam for a host that signs calls itself; it sees every call, streams included. Replaces `auth`. */
  request?: RequestSeam;
  /** What this page can do for tools with the executor `frontend`. Of several pages of a person, one does it. */
  frontendTools?: FrontendTools;
  /** Keeps answers until the server has confirmed them. Default: as long as the page lives. `createLocalStorageOutbox`: longer. */
  storage?: OutboxStorage;
  /** Lets tabs have their event streams together: `shareAcrossTabs` of `@plinth/client/tabs`. Default: each has its own. */
  shareStreams?: StreamSharing;
  /** Milliseconds since the epoch. */
  now?: () => number;
  wait?: Wait;
};

export type Plinth = Artifacts & {
  threads: Threads;
  /** The session of this thread; the same one for everybody who asks while it is in use. */
  thread(threadId: string): ThreadSession;
  /** A session without a thread. Its first send creates the thread, then `thread(id)` finds it. */
  newThread(): ThreadSession;
  /**
   * Lets this page carry out a frontend tool, in all threads that it shows, until the returned function is called. What has
   * begun by then goes on.
   */
  registerTool<Args = JsonObject>(spec: FrontendToolSpec<Args>): () => void;
  /** What the model was sent in the turns of a run. Rejects with `forbidden` without the scope `debug`. */
  runContext(runId: string, options?: { signal?: AbortSignal }): Promise<RunContext>;
  /**
   * The request of one turn as the model got it, what the chat does not show with it. Turns count from 0; one is there once the
   * model has answered it. Rejects as `runContext` does.
   */
  runRequest(runId: string, turn: number, options?: { signal?: AbortSignal }): Promise<TurnRequestView>;
  /**
   * The event log of a message from its first entry, as it is received. Resolves when the run has ended or the signal aborts;
   * rejects with a `PlinthClientError` when it is refused for good. What cannot be replayed any more comes as `gap`, `snapshot`.
   */
  followLog(messageId: string, options: FollowLogOptions): Promise<void>;
  /** Gives a file to the platform; send it with a message as `attachments: [{ upload }]`. */
  upload(file: Blob, options?: UploadOptions): Promise<UploadView>;
};
