import type { RunAgentInput, ToolMessage, UserMessage } from '@ag-ui/core';
import { type AgentVersion, type DoorPorts, type StartRun, startRun, threadTitle } from '@plinth/engine';
import {
  type EndUserId,
  type MessageId,
  type MessageView,
  PlinthError,
  type RunId,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import type { MessageViews } from '../runs/message-views.js';
import type { RunReader } from '../runs/run-reader.js';
import type { ThreadReader } from '../threads/thread-reader.js';
import { type AguiAnswers, type Answerer, uncovered } from './agui-answers.js';
import type { AguiAttachments } from './agui-attachments.js';
import { contentOf } from './agui-content.js';
import { type AguiInput, type Placed, readTail, userMessageIds } from './agui-input.js';
import type { ShownRun } from './agui-stream.js';
import type { AguiThreads, TakenMessage } from './agui-threads.js';
import { runKey } from './request-keys.js';

export interface AguiRequest extends Answerer {
  endUserId: EndUserId;
  agent: AgentVersion;
  input: AguiInput & RunAgentInput;
}

/** What a request has come to, once all that it brings is taken. */
export interface TakenRequest {
  /** Null: the conversation has not begun. */
  threadId: ThreadId | null;
  run: ShownRun | null;
  /** Calls whose results the request brought. */
  settled: string[];
  taken: ReadonlyMap<string, TakenMessage>;
}

type ActiveRun = ShownRun & { view: MessageView };

/** What an AG-UI request does: it starts a run, answers what one waits for, or comes back to one. */
export class AguiRuns {
  constructor(
    private readonly ports: DoorPorts,
    private readonly threads: AguiThreads,
    private readonly answers: AguiAnswers,
    private readonly attachments: AguiAttachments,
    private readonly reader: ThreadReader,
    private readonly runs: RunReader,
    private readonly views: MessageViews,
  ) {}

  /**
   * @throws PlinthError invalid_request; resume_incomplete when open interrupts are not covered; thread_busy while a run works;
   *   and what the door says of an answer
   */
  async take(request: AguiRequest): Promise<TakenRequest> {
    const { tenant, endUserId, input } = request;
    const name = input.threadId;
    const [threadId, taken] = await Promise.all([
      this.threads.find(tenant, endUserId, name),
      this.threads.taken(tenant, endUserId, name, userMessageIds(input)),
    ]);
    const tail = readTail(input, (id) => taken.has(id));
    const active = threadId === null ? null : await this.activeRun(request, threadId);
    const results = active === null ? [] : waitingResults(active.view, tail.results);
    const resume = input.resume ?? [];
    if (active !== null && (tail.news.length > 0 || results.length > 0 || addressesOpen(active.view, resume)))
      requireCovered(active.view, resume);
    if (tail.news.length > 0) {
      if (resume.some(({ status }) => status === 'resolved')) throw answersFirst(tail.news);
      // Results beside it are of calls that nobody waits for any more: clients bring "cancelled" for those that they left.
      return this.start(request, tail.news, threadId, taken);
    }
    const resumed = await this.answer(request, threadId, resume, results);
    const run = resumed ?? active ?? (await this.lastRun(request, taken));
    const settled = results.map(({ message }) => message.toolCallId);
    return { threadId, run, settled, taken };
  }

  private async start(
    { tenant, endUserId, agent, input }: AguiRequest,
    news: readonly Placed<UserMessage>[],
    known: ThreadId | null,
    taken: ReadonlyMap<string, TakenMessage>,
  ): Promise<TakenRequest> {
    const { text, media } = contentOf(news);
    const name = input.threadId;
    const attachments = await this.attachments.take(tenant, { endUserId, threadId: known }, media);
    const title = threadTitle(text || (media[0]?.title ?? ''));
    const threadId = known ?? (await this.threads.open(tenant, endUserId, name, title));
    const messageId = news.at(-1)?.message.id ?? '';
    const { isNew, ...run } = await this.startOnce(tenant, name, messageId, {
      endUserId,
      threadId,
      agent: agent.definition.key,
      text,
      attachments,
      onBusy: 'supersede',
    });
    return {
      threadId,
      run: { runId: run.runId, messageId: run.messageId, threadId, isNew },
      settled: [],
      taken: new Map([...taken, [messageId, run]]),
    };
  }

  /** A message is known by its id alone: the same request at the same time has stored uploads of its own. */
  private async startOnce(
    tenant: TenantId,
    name: string,
    messageId: string,
    start: Omit<StartRun, 'idempotencyKey'>,
  ): Promise<TakenMessage & { isNew: boolean }> {
    try {
      const idempotencyKey = runKey(name, messageId);
      const started = await startRun(this.ports, tenant, { ...start, idempotencyKey });
      return {
        runId: started.runId as RunId,
        messageId: started.messageId as MessageId,
        userMessageId: started.userMessageId as MessageId,
        isNew: true,
      };
    } catch (error) {
      if (!PlinthError.isInstance(error) || error.code !== 'idempotency_key_reused') throw error;
      const first = (await this.threads.taken(tenant, start.endUserId, name, [messageId])).get(messageId);
      if (first === undefined) throw error;
      return { ...first, isNew: false };
    }
  }

  /** Gives all answers, and returns the run that they are for. */
  private async answer(
    request: AguiRequest,
    threadId: ThreadId | null,
    resume: NonNullable<RunAgentInput['resume']>,
    results: readonly WaitingResult[],
  ): Promise<ShownRun | null> {
    let resumed: ShownRun | null = null;
    for (const [index, entry] of resume.entries()) {
      const run = await this.answers.resume(request, entry, index, threadId);
      resumed ??= { ...run, isNew: false };
    }
    for (const { interrupt, message } of results) await this.answers.result(request, interrupt, message);
    return resumed;
  }

  private async activeRun({ tenant, viewer }: AguiRequest, threadId: ThreadId): Promise<ActiveRun | null> {
    const { activeRunId } = await this.reader.get(tenant, viewer, threadId);
    if (activeRunId === null) return null;
    const { messageId } = await this.runs.get(tenant, viewer, activeRunId as RunId);
    const view = await this.views.get(tenant, viewer, messageId as never);
    return { runId: activeRunId, messageId, threadId, view, isNew: false };
  }

  /** The run of the client's last user message: it may have ended while the client was away. */
  private async lastRun(
    { tenant, viewer, input }: AguiRequest,
    taken: ReadonlyMap<string, TakenMessage>,
  ): Promise<ShownRun | null> {
    const last = userMessageIds(input).at(-1);
    const known = last === undefined ? undefined : taken.get(last);
    if (known === undefined) return null;
    const { threadId } = await this.runs.get(tenant, viewer, known.runId);
    return { runId: known.runId, messageId: known.messageId, threadId, isNew: false };
  }
}

interface WaitingResult {
  interrupt: MessageView['interrupts'][number];
  message: ToolMessage;
}

/** Results for calls that wait for them. Others are history: the thread is the truth. */
function waitingResults(view: MessageView, results: readonly ToolMessage[]): WaitingResult[] {
  return results.flatMap((message) => {
    const interrupt = view.interrupts.find(
      ({ kind, state, callId }) => kind === 'frontend' && state === 'open' && callId === message.toolCallId,
    );
    return interrupt === undefined ? [] : [{ interrupt, message }];
  });
}

/** Answers that have all been given before are a request that is sent again, whatever the run waits for by now. */
function addressesOpen({ interrupts }: MessageView, resume: NonNullable<RunAgentInput['resume']>): boolean {
  const open = new Set(interrupts.filter(({ state }) => state === 'open').map(({ id }) => id));
  return resume.some(({ interruptId }) => open.has(interruptId));
}

function requireCovered(view: MessageView, resume: NonNullable<RunAgentInput['resume']>): void {
  const missing = uncovered(view, resume);
  if (missing.length === 0) return;
  throw new PlinthError(
    'resume_incomplete',
    `The run waits for answers that resume does not have: ${missing.join(', ')}. Answer or cancel each of them.`,
    { missing },
    [{ path: 'resume', message: `must cover ${missing.join(', ')}` }],
  );
}

function answersFirst(news: readonly Placed<UserMessage>[]): PlinthError {
  const path = `messages.${news[0]?.index ?? 0}`;
  const message = 'comes with answers to the run before it';
  return new PlinthError(
    'invalid_request',
    'Send the answers first, and the new message when that run has ended; or cancel what it waits for.',
    {},
    [{ path, message }],
  );
}
