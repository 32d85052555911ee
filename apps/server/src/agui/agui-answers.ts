import type { ResumeEntry, ToolMessage } from '@ag-ui/core';
import { answerInterrupt, type DoorPorts, leaseInterrupt, type Viewer } from '@plinth/engine';
import {
  type AnsweredBy,
  type InterruptId,
  type InterruptView,
  type JsonValue,
  type MessageId,
  type MessageView,
  PlinthError,
  type RunId,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import { answerOf, fieldOfResume, isAsking } from './agui-interrupts.js';
import { answerKey, resultKey } from './request-keys.js';

/** Who answers. */
export interface Answerer {
  tenant: TenantId;
  viewer: Viewer;
  by: AnsweredBy;
}

/** Gives what a request brings through the one door that all answers take. A request that is sent again changes nothing. */
export class AguiAnswers {
  constructor(private readonly ports: DoorPorts) {}

  /**
   * Answers one interrupt of the thread by a resume entry. Returns its run.
   *
   * @throws PlinthError not_found, invalid_request and answer_invalid (fields named as in the request),
   *   interrupt_already_answered, interrupt_closed
   */
  async resume(
    { tenant, viewer, by }: Answerer,
    entry: ResumeEntry,
    index: number,
    threadId: ThreadId | null,
  ): Promise<{ runId: RunId; messageId: MessageId; threadId: ThreadId }> {
    const interruptId = entry.interruptId as InterruptId;
    const found = await this.ports.ledger.findInterrupt(tenant, viewer, interruptId);
    const kind = found?.interrupt.kind;
    if (kind === undefined || kind === 'callback' || kind === 'frontend' || found?.run.threadId !== threadId)
      throw new PlinthError('not_found', `resume.${index}.interruptId: this thread has no such interrupt.`);
    const answer = answerOf(kind, entry, index);
    const requestId = answerKey(interruptId, entry.status, entry.payload);
    try {
      await answerInterrupt(this.ports, tenant, viewer, interruptId, { requestId, answer, by });
    } catch (error) {
      throw asOfResume(error, index);
    }
    return { runId: found.run.id, messageId: found.run.messageId, threadId: found.run.threadId };
  }

  /**
   * Gives the result of a tool that the client has run. It takes the tool's lease for that: an AG-UI client has no way to
   * hold one while it works.
   *
   * @throws PlinthError interrupt_leased when a page of the person runs the tool, interrupt_already_answered, interrupt_closed
   */
  async result(
    { tenant, viewer, by }: Answerer,
    interrupt: InterruptView,
    { toolCallId, content, error }: ToolMessage,
  ): Promise<void> {
    const interruptId = interrupt.id as InterruptId;
    const key = resultKey(toolCallId, JSON.stringify(content), error);
    // The same result, sent at once, may have been taken by now: the door knows it by its key.
    await leaseInterrupt(this.ports, tenant, viewer, interruptId, key).catch(unlessAnswered);
    const answer =
      error === undefined
        ? { type: 'result' as const, clientId: key, value: resultOf(content) }
        : {
            type: 'failure' as const,
            clientId: key,
            error: { code: 'client_error', message: error.slice(0, 2000) },
          };
    await answerInterrupt(this.ports, tenant, viewer, interruptId, { requestId: key, answer, by });
  }
}

function unlessAnswered(error: unknown): void {
  if (!PlinthError.isInstance(error) || error.code !== 'interrupt_already_answered') throw error;
}

/** Open interrupts that a resume does not answer. */
export function uncovered(view: MessageView, resume: readonly ResumeEntry[]): string[] {
  const answered = new Set(resume.map(({ interruptId }) => interruptId));
  return view.interrupts
    .filter((one) => isAsking(one) && one.state === 'open' && !answered.has(one.id))
    .map(({ id }) => id);
}

/** Structured results travel as text in AG-UI: what is JSON is taken as such. */
function resultOf(content: ToolMessage['content']): JsonValue {
  if (typeof content !== 'string') return content as JsonValue;
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return content;
  }
}

/** The same problem with its fields named as the request has them. */
function asOfResume(error: unknown, index: number): unknown {
  if (!PlinthError.isInstance(error) || error.fields.length === 0) return error;
  const fields = error.fields.map(({ path, message }) => ({ path: fieldOfResume(path, index), message }));
  return new PlinthError(error.code, error.message, error.facts, fields);
}
