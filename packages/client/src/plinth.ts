import type { ArtifactView } from '@plinth/protocol';
import type { FrontendTools } from './frontend/frontend-tool.js';
import type { Threads } from './thread/thread-list-api.js';
import type { ThreadSession } from './thread/thread-session-api.js';

/** Gives the bearer token. `refresh` is true when the server refused the last one. */
export type Auth = (options: { refresh: boolean }) => string | Promise<string>;

/** Does one HTTP call for the client: the host signs it, sends it, and hands back the response. */
export type RequestSeam = (url: string, init: RequestInit) => Promise<Response>;

/** Resolves after `delayMs`, or as soon as `signal` aborts. Never rejects. */
export type Wait = (delayMs: number, signal?: AbortSignal) => Promise<void>;

export type PlinthOptions = {
  /** Where the API is: `https://api.example.com`, a path such as `/plinth`, or `''` for the page's origin. */
  baseUrl: string;
  /** Bearer tokens. A 401 asks for a new one once, however many calls were refused. */
  auth?: Auth;
  /** The one seam for a host that signs calls itself; it sees every call, streams included. Replaces `auth`. */
  request?: RequestSeam;
  /** What this page can do for tools with the executor `frontend`. Of several pages of a person, one does it. */
  frontendTools?: FrontendTools;
  /** Milliseconds since the epoch. */
  now?: () => number;
  wait?: Wait;
};

/** An artifact with a signed URL, usable for some minutes where no header can be set (`<img src>`). */
export type ArtifactContent = ArtifactView & { contentUrl: string };

export type Plinth = {
  threads: Threads;
  /** The session of this thread; the same one for everybody who asks while it is in use. */
  thread(threadId: string): ThreadSession;
  /** A session without a thread. Its first send creates the thread, then `thread(id)` finds it. */
  newThread(): ThreadSession;
  artifact(artifactId: string): Promise<ArtifactContent>;
};
