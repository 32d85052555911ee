import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatRequest } from '../api/chat-request.js';
import { type Completion, completionBody, completionChunks } from '../replies/completion.js';
import type { Fault } from './fault-queue.js';
import { sendJson } from './send-json.js';

/** `firstTokenMs` passes before the answer begins, `perChunkMs` between two chunks of a streamed one. */
export type Latency = {
  firstTokenMs: number;
  perChunkMs: number;
  /** Of text in a chunk. Default: a token, as models send it; gateways on the way gather many. */
  chunkCharacters?: number;
};

export type Sending = {
  request: ChatRequest;
  response: ServerResponse;
  latency: Latency;
  fault: Extract<Fault, { kind: 'reset' }> | undefined;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
};

/** Sends a completion in the form that the request asked for. Ends quietly when the client hangs up. */
export async function sendCompletion(completion: Completion, sending: Sending): Promise<void> {
  await pause(sending.latency.firstTokenMs, sending.signal);
  if (sending.signal.aborted) return;
  if (sending.request.stream === true) await sendStream(completion, sending);
  else if (sending.fault) resetConnection(sending.response);
  else sendJson(sending.response, 200, completionBody(completion));
}

async function sendStream(
  completion: Completion,
  { request, response, latency, fault, signal }: Sending,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const includeUsage = request.stream_options?.include_usage === true;
  const chunks = completionChunks(completion, { includeUsage, chunkCharacters: latency.chunkCharacters });
  const cutAt = fault?.afterChunks ?? Number.POSITIVE_INFINITY;
  for (const [index, chunk] of chunks.entries()) {
    if (index >= cutAt) break;
    if (index > 0) await pause(latency.perChunkMs, signal);
    if (signal.aborted) return;
    const written = write(response, `data: ${JSON.stringify(chunk)}\n\n`);
    if (fault) await written;
  }
  if (fault) resetConnection(response);
  else response.end('data: [DONE]\n\n');
}

/** Resolves when the bytes were handed to the system: a reset must not overtake the chunks before it. */
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => response.write(text, () => resolve()));
}

function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  if (durationMs <= 0) return;
  await sleep(durationMs, undefined, { signal }).catch(() => undefined);
}
