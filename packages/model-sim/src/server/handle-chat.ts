import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../api/api-error.js';
import { BodyRefusal, Refusal } from '../api/refusal.js';
import { Conversation } from '../conversation/conversation.js';
import { completionOf } from '../replies/completion.js';
import { obeyToolChoice } from '../replies/obey-tool-choice.js';
import type { PrefixCache } from '../replies/prefix-cache.js';
import { chooseScenario } from '../scenarios/choose-scenario.js';
import type { Scenario } from '../scenarios/scenario.js';
import { type AcceptOptions, acceptRequest } from './accept-request.js';
import { checkAuthorization } from './check-authorization.js';
import type { Fault, FaultQueue } from './fault-queue.js';
import { readBody } from './read-body.js';
import type { RequestRecorder } from './request-recorder.js';
import { type Latency, sendCompletion } from './send-completion.js';
import { sendError } from './send-error.js';

/** More than any persona takes: which of them a body is for is known only when it is read. */
const READ_LIMIT_BYTES = 256 * 1024 * 1024;

export type ChatContext = AcceptOptions & {
  recorder: RequestRecorder;
  faults: FaultQueue;
  cache: PrefixCache;
  scenarios: Scenario[];
  latency: Latency;
  apiKey: string | undefined;
};

/** Answers one `POST /v1/chat/completions`: recorded first, then checked, then replied to. */
export async function handleChat(
  request: IncomingMessage,
  response: ServerResponse,
  context: ChatContext,
): Promise<void> {
  const gone = new AbortController();
  const body = await readBody(request, READ_LIMIT_BYTES);
  const recorded = context.recorder.record(body, request.headers);
  let cutByFault = false;
  response.once('close', () => {
    if (response.headersSent) recorded.status = response.statusCode;
    if (!response.writableEnded && !cutByFault) recorded.aborted = true;
    gone.abort();
  });
  try {
    const { authorization } = request.headers;
    checkAuthorization(authorization, context.apiKey);
    const { request: accepted, count } = await acceptRequest(body, context, (url, image) =>
      recorded.fetchedImages.push(factsOf(url, image)),
    );
    recorded.parsed = accepted;
    const fault = context.faults.take(accepted);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'status') {
      sendError(response, fault.status, fault.body ?? bodyOfStatus(fault), fault.headers);
      return;
    }
    cutByFault = fault !== undefined;
    const conversation = new Conversation(accepted);
    const reply = obeyToolChoice(
      chooseScenario(context.scenarios, accepted).reply(conversation),
      conversation,
    );
    await sendCompletion(completionOf(accepted, reply, count(context.cache, authorization ?? '')), {
      request: accepted,
      response,
      latency: context.latency,
      fault,
      signal: gone.signal,
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error instanceof BodyRefusal) recorded.raw = '';
    sendError(response, error.status, error.body());
  }
}

function factsOf(url: string, { bytes, declaredType }: { bytes: Buffer; declaredType: string }) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { url, declaredType, sizeBytes: bytes.length, sha256 };
}

function bodyOfStatus({ status }: Extract<Fault, { kind: 'status' }>): unknown {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return new ApiError(status, `Injected fault: the simulator was told to answer ${status}.`, { type }).body();
}
