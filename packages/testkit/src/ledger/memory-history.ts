import {
  type Conversation,
  imageMessages,
  NO_CUT,
  type Run,
  type RunRecord,
  resultMessage,
  userMessage,
} from '@plinth/engine';
import { type MessageRow, recordFrom, type TenantRows } from './memory-rows.js';

/** What was said from the root of the thread's tree to the run's user message, and what of it is out. */
export function conversationOf(rows: TenantRows, run: Run): Conversation {
  const path: MessageRow[] = [];
  let next = rows.messages.get(run.userMessageId);
  while (next) {
    path.unshift(next);
    next = next.parentId === null ? undefined : rows.messages.get(next.parentId);
  }
  const cuts = path.map((message) => runOf(rows, message)?.run.contextCut ?? null);
  return {
    history: path.flatMap((message) => providerMessages(rows, message)),
    inheritedCut: structuredClone(cuts.findLast((cut) => cut !== null) ?? NO_CUT),
  };
}

const runOf = (rows: TenantRows, message: MessageRow): RunRecord | undefined =>
  message.role === 'assistant' ? rows.runs.get(message.runId)?.record : undefined;

function providerMessages(rows: TenantRows, message: MessageRow): string[] {
  if (message.role === 'user') return [userMessage(message.text, message.attachments)];
  const stored = runOf(rows, message);
  if (!stored) return [];
  const { turns, calls } = recordFrom(stored, 0);
  return turns.flatMap((turn) => {
    const ofTurn = calls.filter((call) => call.turnIndex === turn.index);
    return [
      turn.assistantRaw,
      ...ofTurn.map((call) => resultMessage(call.providerCallId, call.resultText)),
      ...imageMessages(ofTurn.map((call) => call.images)),
    ];
  });
}
