import type { JsonObject, JsonValue, SentMessage } from '@plinth/protocol';

export type SentCall = { id: string; name: string; arguments: string };

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** What a message of the model calls. Nothing is taken for granted: an endpoint has written it. */
export function callsIn({ tool_calls: calls }: JsonObject): SentCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((one) => {
    const call = objectOf(one);
    const asked = objectOf(call.function);
    return { id: textOf(call.id), name: textOf(asked.name), arguments: textOf(asked.arguments) };
  });
}

/**
 * Which tool a result is of, by its place among the messages. Endpoints use the same ids in every answer: the last call before
 * the result is the one.
 */
export function toolsOfResults(messages: readonly SentMessage[]): Map<number, string> {
  const names = new Map<string, string>();
  const found = new Map<number, string>();
  for (const [index, { message }] of messages.entries()) {
    for (const { id, name } of callsIn(message)) names.set(id, name);
    const name = names.get(textOf(message.tool_call_id));
    if (message.role === 'tool' && name !== undefined) found.set(index, name);
  }
  return found;
}
