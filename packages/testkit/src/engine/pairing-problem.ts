/** As much of a chat message as a fake model reads. */
export interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/**
 * Why a real endpoint would refuse these messages; null when it would not. After an assistant message with
 * calls stands one result for each, in the order of the calls, and nothing else.
 */
export function pairingProblem(messages: readonly ChatMessage[]): string | null {
  let due: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (message.tool_call_id !== due[0])
        return `result of ${message.tool_call_id} stands where that of ${due[0]} is due`;
      if (typeof message.content !== 'string' || message.content === '')
        return `the result of ${due[0]} is empty`;
      due.shift();
      continue;
    }
    if (due.length > 0) return `no result for ${due.join(', ')}`;
    due = (message.tool_calls ?? []).map((call) => call.id);
  }
  return due.length === 0 ? null : `no result for ${due.join(', ')}`;
}
