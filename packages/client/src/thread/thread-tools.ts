import type { HttpClient } from '../http/http-client.js';
import type { StreamTools } from '../stream/stream-tools.js';
import type { Store } from './create-store.js';
import type { ThreadAction } from './thread-action.js';
import type { ThreadState } from './thread-state.js';

export type ThreadStore = Store<ThreadState, ThreadAction>;

/** What the parts of a session share. */
export type ThreadTools = { http: HttpClient; streams: StreamTools; store: ThreadStore };
