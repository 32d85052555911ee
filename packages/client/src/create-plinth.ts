import { createArtifacts } from './artifacts/artifact-api.js';
import { createToolRegistry } from './frontend/tool-registry.js';
import { createHttpClient } from './http/http-client.js';
import { createRequestId } from './http/request-id.js';
import { createTransport } from './http/transport.js';
import { followLog } from './message/follow-log.js';
import { createOutbox } from './outbox/outbox.js';
import { createMemoryOutbox } from './outbox/outbox-storage.js';
import type { Plinth, PlinthOptions } from './plinth.js';
import { readRunContext, readRunRequest } from './runs/run-context.js';
import type { StreamTools } from './stream/stream-tools.js';
import { isPageVisible, onBrowserWake } from './stream/wake.js';
import { createSessionRegistry } from './thread/session-registry.js';
import { createThreadList } from './thread/thread-list.js';
import { createThreadSession } from './thread/thread-session.js';
import { waitWithTimer } from './time/timing.js';
import { uploadFile } from './uploads/upload-file.js';

/** Makes the client. One per page: it shares sessions and streams among everything that uses it. */
export function createPlinth({
  baseUrl,
  auth,
  request,
  frontendTools = {},
  storage = createMemoryOutbox(),
  shareStreams = (transport) => transport,
  now = Date.now,
  wait = waitWithTimer,
}: PlinthOptions): Plinth {
  const transport = createTransport({ baseUrl, auth, request });
  const http = createHttpClient(transport, wait);
  const streams: StreamTools = {
    transport: shareStreams(transport),
    timing: { now, wait },
    wake: onBrowserWake,
    isVisible: isPageVisible,
    random: Math.random,
  };
  const sessions = createSessionRegistry();
  const threads = createThreadList(http);
  // Anew with each loading of the page: what the page before it had begun is not this one's.
  const frontend = { registry: createToolRegistry(frontendTools), clientId: createRequestId() };
  const outbox = createOutbox({ storage, http, streams });
  const createSession = (threadId: string | null) =>
    createThreadSession({
      threadId,
      http,
      streams,
      outbox,
      frontend,
      onUsed: sessions.used,
      onCreated: threads.refreshIfShown,
    });

  return {
    threads,
    thread: (threadId) => sessions.get(threadId, () => createSession(threadId)),
    newThread: () => createSession(null),
    registerTool: frontend.registry.register,
    ...createArtifacts(http, baseUrl),
    runContext: (runId, { signal } = {}) => readRunContext(http, runId, signal),
    runRequest: (runId, turn, { signal } = {}) => readRunRequest(http, runId, turn, signal),
    followLog: (messageId, options) => followLog(streams, messageId, options),
    upload: (file, options = {}) => uploadFile(http, file, options),
  };
}
