import type { Run } from '@plinth/engine';
import { type MessageRow, recordFrom, type TenantRows } from './memory-rows.js';

/** Provider messages from the root of the thread's tree to the run's user message, as JSON text. */
export function historyOf(rows: TenantRows, run: Run): string[] {
  const path: MessageRow[] = [];
  let next = rows.messages.get(run.userMessageId);
  while (next) {
    path.unshift(next);
    next = next.parentId === null ? undefined : rows.messages.get(next.parentId);
  }
  return path.flatMap((message) => providerMessages(rows, message));
}

function providerMessages(rows: TenantRows, message: MessageRow): string[] {
  if (message.role === 'user') return [JSON.stringify({ role: 'user', content: message.text })];
  const stored = rows.runs.get(message.runId);
  if (!stored) return [];
  const { turns, calls } = recordFrom(stored.record, 0);
  return turns.flatMap((turn) => [
    turn.assistantRaw,
    ...calls
      .filter((call) => call.turnIndex === turn.index)
      .map((call) =>
        JSON.stringify({ role: 'tool', tool_call_id: call.providerCallId, content: call.resultText ?? '' }),
      ),
  ]);
}
