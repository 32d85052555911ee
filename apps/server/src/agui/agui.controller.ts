import type { Event, RunAgentInput, ToolMessage } from '@ag-ui/core';
import { Body, Controller, Headers, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Clock, DoorPorts } from '@plinth/engine';
import { type MessageId, PlinthError, type SnapshotEvent } from '@plinth/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.js';
import { requireAgent, requireScope } from '../auth/scopes.js';
import { EventFeed } from '../events/event-feed.js';
import { isEndOfMessage } from '../events/is-end-of-message.js';
import { sendStream } from '../events/sse-stream.js';
import { untilExpiry } from '../events/until-expiry.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { CLOCK, DOOR_PORTS, SHUTDOWN } from '../platform/tokens.js';
import { MessageViews } from '../runs/message-views.js';
import { isBefore1 } from './agui-before-1.js';
import { AguiHistory } from './agui-history.js';
import { type AguiInput, aguiInput } from './agui-input.js';
import type { ClientNames } from './agui-messages.js';
import { type AguiRequest, AguiRuns, type TakenRequest } from './agui-runs.js';
import { type AguiStream, aguiEvents } from './agui-stream.js';
import { binaryParts } from './binary-parts.js';
import { callerOf, END_USER_HEADER } from './caller-of.js';
import { noticesOf } from './client-tools.js';

const frame = (event: Event) => `data: ${JSON.stringify(event)}\n\n`;

/** The agents for clients that speak AG-UI. Another form of the API, over the same door and the same event logs. */
@Controller('v1/agents')
export class AguiController {
  constructor(
    @Inject(DOOR_PORTS) private readonly ports: DoorPorts,
    @Inject(AguiRuns) private readonly runs: AguiRuns,
    @Inject(AguiHistory) private readonly history: AguiHistory,
    @Inject(MessageViews) private readonly views: MessageViews,
    @Inject(EventFeed) private readonly feed: EventFeed,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SHUTDOWN) private readonly shutdown: AbortSignal,
  ) {}

  @Post(':key/agui')
  @Operation({
    summary: 'Run an agent over AG-UI 1.x',
    description:
      'Takes `RunAgentInput` and answers with the AG-UI events of the run as server-sent events. New user messages at the end start a run; `resume` and tool messages answer what one waits for; the same request again comes back to its run. See docs/ag-ui.md.',
    tag: 'ag-ui',
    access: 'any',
    status: 200,
    body: aguiInput,
    headers: [END_USER_HEADER],
    contentType: 'text/event-stream',
    errors: [
      'invalid_request',
      'not_found',
      'thread_busy',
      'resume_incomplete',
      'interrupt_already_answered',
      'interrupt_closed',
      'interrupt_leased',
      'answer_invalid',
      'attachment_too_large',
      'attachment_not_found',
      'attachment_not_fetched',
    ],
  })
  async run(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Headers(END_USER_HEADER.name.toLowerCase()) endUser: string | undefined,
    @Body(binaryParts, zod(aguiInput)) input: AguiInput,
    @Req() httpRequest: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    requireScope(caller, 'runs');
    requireAgent(caller, key);
    const who = callerOf(caller, endUser);
    const agent = await this.ports.agents.newest(who.tenant, key);
    if (agent === null)
      throw new PlinthError(
        'not_found',
        `There is no agent "${key}". Publish it, or use the key of another.`,
      );
    const request: AguiRequest = { ...who, agent, input: input as AguiInput & RunAgentInput };
    const taken = await this.runs.take(request);
    await this.send(caller, this.streamOf(request, taken), httpRequest, reply);
  }

  private streamOf({ tenant, viewer, agent, input }: AguiRequest, taken: TakenRequest): AguiStream {
    const { run, threadId } = taken;
    const tools = input.tools ?? [];
    const names = namesOf(input, taken);
    const messageId = run?.messageId as MessageId;
    const state = () => this.views.stateOf(tenant, viewer, messageId);
    return {
      threadId: input.threadId,
      runId: input.runId,
      clientTools: new Set(tools.map(({ name }) => name)),
      isBefore1: isBefore1(input),
      settled: taken.settled,
      notices: noticesOf(agent, tools),
      run,
      history: async () =>
        threadId === null
          ? { messages: [], view: undefined }
          : this.history.read(tenant, viewer, threadId, names, messageId),
      state,
      follow: (feed) =>
        this.feed.follow({
          tenant,
          stream: { kind: 'message', id: messageId },
          after: null,
          fold: true,
          isEnd: isEndOfMessage,
          rebuild: async () => {
            const { view, seq } = await state();
            const snapshot: SnapshotEvent = { type: 'snapshot', message: view };
            return { seq, payload: JSON.stringify(snapshot) };
          },
          ...feed,
        }),
    };
  }

  private async send(
    caller: Principal,
    stream: AguiStream,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    reply.hijack();
    const tenant = caller.tenantId;
    const closed = this.metrics.streamOpened(tenant);
    const done = new AbortController();
    const onError = (error: unknown) => {
      const runId = stream.run?.runId ?? '';
      this.metrics.problem(tenant, { runId, doing: `send AG-UI events (${request.id})` }, error);
    };
    try {
      await sendStream(reply.raw, (feed) => aguiEvents(stream, feed), frame, {
        clock: this.clock,
        signal: AbortSignal.any([this.shutdown, untilExpiry(this.clock, caller, done.signal)]),
        headers: reply.getHeaders() as Record<string, string>,
        onError,
      });
    } finally {
      done.abort();
      closed();
    }
  }
}

/** The client's ids for what it knows already. */
function namesOf({ messages }: Pick<RunAgentInput, 'messages'>, { taken }: TakenRequest): ClientNames {
  const ids = new Map([...taken].map(([id, { userMessageId }]) => [userMessageId as string, id]));
  const contents = new Map(messages.map(({ id, role, content }) => [id, role === 'user' ? content : '']));
  const results = new Map<string, ToolMessage>();
  for (const message of messages) if (message.role === 'tool') results.set(message.toolCallId, message);
  return {
    userMessageId: (id) => ids.get(id),
    partIds: (id) => {
      const content = contents.get(ids.get(id) ?? '');
      return Array.isArray(content)
        ? content.filter(({ type }) => type !== 'text').map((part) => part.id)
        : [];
    },
    resultOf: (callId) => results.get(callId),
  };
}
