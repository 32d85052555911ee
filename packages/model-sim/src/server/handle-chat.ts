import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, badRequest } from '../api/api-error.js';
import type { ChatRequest } from '../api/chat-request.js';
import { Conversation } from '../conversation/conversation.js';
import { completionOf } from '../replies/completion.js';
import { obeyToolChoice } from '../replies/obey-tool-choice.js';
import { chooseScenario } from '../scenarios/choose-scenario.js';
import type { Scenario } from '../scenarios/scenario.js';
import { validateChatRequest } from '../validation/validate-chat-request.js';
import { checkAuthorization } from './check-authorization.js';
import type { Fault, FaultQueue } from './fault-queue.js';
import { type RequestBody, readBody } from './read-body.js';
import type { RequestRecorder } from './request-recorder.js';
import { type Latency, sendCompletion } from './send-completion.js';
import { sendJson } from './send-json.js';

const NOT_JSON =
  "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)";

export type ChatContext = {
  recorder: RequestRecorder;
  faults: FaultQueue;
  scenarios: Scenario[];
  latency: Latency;
  bodyLimitBytes: number;
  apiKey: string | undefined;
};

/** Answers one `POST /v1/chat/completions`: recorded first, then checked, then replied to. */
export async function handleChat(
  request: IncomingMessage,
  response: ServerResponse,
  context: ChatContext,
): Promise<void> {
  const gone = new AbortController();
  const body = await readBody(request, context.bodyLimitBytes);
  const recorded = context.recorder.record(body, request.headers);
  let cutByFault = false;
  response.once('close', () => {
    if (response.headersSent) recorded.status = response.statusCode;
    if (!response.writableEnded && !cutByFault) recorded.aborted = true;
    gone.abort();
  });
  try {
    const accepted = accept(body, request.headers.authorization, context);
    recorded.parsed = accepted;
    const fault = context.faults.take(accepted);
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'status') {
      sendJson(response, fault.status, fault.body ?? bodyOfStatus(fault), fault.headers);
      return;
    }
    cutByFault = fault !== undefined;
    const conversation = new Conversation(accepted);
    const reply = obeyToolChoice(
      chooseScenario(context.scenarios, accepted).reply(conversation),
      conversation,
    );
    await sendCompletion(completionOf(accepted, reply), {
      request: accepted,
      response,
      latency: context.latency,
      fault,
      signal: gone.signal,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    sendJson(response, error.status, error.body());
  }
}

function accept(body: RequestBody, authorization: string | undefined, context: ChatContext): ChatRequest {
  checkAuthorization(authorization, context.apiKey);
  if (body.tooLarge) {
    throw new ApiError(
      413,
      `Maximum content size limit (${context.bodyLimitBytes}) exceeded (${body.sizeBytes} bytes read)`,
      { code: 'request_too_large' },
    );
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.text);
  } catch {
    throw badRequest(NOT_JSON, null);
  }
  return validateChatRequest(parsed);
}

function bodyOfStatus({ status }: Extract<Fault, { kind: 'status' }>): unknown {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return new ApiError(status, `Injected fault: the simulator was told to answer ${status}.`, { type }).body();
}
