import type { RunAgentInput, ToolMessage, UserMessage } from '@ag-ui/core';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { PlinthError } from '@plinth/protocol';
import { z } from 'zod';

const name = (what: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}+$/u, 'must not have control characters')
    .describe(what);

/** The request of AG-UI 1.x. `state`, `context` and `forwardedProps` are taken and not used. */
export const aguiInput = RunAgentInputSchema.extend({
  threadId: name("The client's own name for the conversation: one thread of ours for each end user."),
  runId: name("The client's own name for this request. It comes back in `RUN_STARTED` and `RUN_FINISHED`."),
});
export type AguiInput = z.output<typeof aguiInput>;

/** A message of the request and where it stands there. */
export interface Placed<M> {
  message: M;
  index: number;
}

/** What a request says that the thread may not have yet. */
export interface Tail {
  /** User messages behind the last answer that no run has taken, oldest first. */
  news: Placed<UserMessage>[];
  /** Results of tools behind the last answer. Whether their calls still wait, the ledger knows. */
  results: ToolMessage[];
}

/** Ids of the user messages of the request: those that a run has taken are known by them. */
export function userMessageIds({ messages }: Pick<RunAgentInput, 'messages'>): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ id }) => id);
}

/**
 * The end of the client's history, back to the last assistant message or the last user message that a run has taken.
 * What stands before is not looked at: the thread is the truth about it.
 */
export function readTail(
  { messages }: Pick<RunAgentInput, 'messages'>,
  isTaken: (messageId: string) => boolean,
): Tail {
  const tail: Tail = { news: [], results: [] };
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message === undefined || message.role === 'assistant') break;
    if (message.role === 'tool') tail.results.unshift(message);
    if (message.role !== 'user') continue;
    if (isTaken(message.id)) break;
    tail.news.unshift({ message, index });
  }
  return tail;
}

/** @throws PlinthError invalid_request, always */
export function refuse(path: string, message: string): never {
  throw new PlinthError('invalid_request', `Correct and send again: ${path}: ${message}.`, {}, [
    { path, message },
  ]);
}
