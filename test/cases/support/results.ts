import type { ModelRequestBody } from './on-plinth.js';

/** The results that the model is sent, in the order in which it reads them, each with the tool it belongs to. */
export function toolResults({
  messages,
}: ModelRequestBody): { tool: string | undefined; content: string | undefined }[] {
  const names = new Map(
    messages.flatMap(({ tool_calls }) => tool_calls ?? []).map((call) => [call.id, call.function.name]),
  );
  return messages
    .filter(({ role }) => role === 'tool')
    .map(({ tool_call_id = '', content }) => ({ tool: names.get(tool_call_id), content }));
}
