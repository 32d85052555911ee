import type { Message, ToolCall, ToolMessage } from '@ag-ui/core';
import type { MessageView, ThreadMessage, ToolCallView } from '@plinth/protocol';
import { reasoningId, resultMessageId, turnMessageId } from './agui-ids.js';
import { type UrlOf, userContent } from './agui-user-content.js';

/** What the client calls the things of a thread, so that a snapshot does not rename what it shows already. */
export interface ClientNames {
  /** Its user messages, by the id of ours. */
  userMessageId(id: string): string | undefined;
  /** What it calls the parts of that message that are no text. */
  partIds(id: string): (string | undefined)[];
  /** Its own result of a tool that it has run. */
  resultOf(callId: string): ToolMessage | undefined;
}

/** What the person is told of a call that has ended, as the content of a tool message. */
export function resultTextOf(call: Pick<ToolCallView, 'summary' | 'error'>): string {
  return call.summary ?? call.error?.message ?? '';
}

const OPEN = new Set<ToolCallView['status']>(['pending', 'started']);
export const isOpenCall = ({ status }: Pick<ToolCallView, 'status'>): boolean => OPEN.has(status);

function toToolCall({ callId, tool, arguments: given }: ToolCallView): ToolCall {
  return {
    id: callId,
    type: 'function',
    function: { name: tool, arguments: given === null ? '' : JSON.stringify(given) },
  };
}

/** The result of a call: the client's own message when it brought one, even before the run has taken it up. */
function resultMessage(call: ToolCallView, names: ClientNames): ToolMessage[] {
  const own = call.location === 'client' ? names.resultOf(call.callId) : undefined;
  if (own !== undefined) return [own];
  if (isOpenCall(call)) return [];
  return [
    {
      id: resultMessageId(call.callId),
      role: 'tool',
      toolCallId: call.callId,
      content: resultTextOf(call),
      ...(call.error === null ? {} : { error: call.error.code }),
    },
  ];
}

/** An assistant message of ours as AG-UI has it: for each turn reasoning, text with calls, results. */
export function messagesOfView(view: MessageView, names: ClientNames): Message[] {
  const turns = [...new Set(view.parts.map(({ turn }) => turn))].sort((a, b) => a - b);
  return turns.flatMap((turn): Message[] => {
    const ofTurn = view.parts.filter((part) => part.turn === turn);
    const text = (type: 'text' | 'reasoning') =>
      ofTurn.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
    const calls = view.calls.filter((call) => call.turn === turn);
    const reasoning = text('reasoning');
    const content = text('text');
    return [
      ...(reasoning === ''
        ? []
        : [{ id: reasoningId(view.messageId, turn), role: 'reasoning' as const, content: reasoning }]),
      {
        id: turnMessageId(view.messageId, turn),
        role: 'assistant' as const,
        ...(content === '' ? {} : { content }),
        ...(calls.length === 0 ? {} : { toolCalls: calls.map(toToolCall) }),
      },
      ...calls.flatMap((call) => resultMessage(call, names)),
    ];
  });
}

/** A thread as AG-UI has it, oldest message first. */
export function messagesOfThread(
  nodes: readonly ThreadMessage[],
  names: ClientNames,
  urlOf: UrlOf,
): Message[] {
  return nodes.flatMap((node): Message[] => {
    if (node.role === 'assistant') return messagesOfView(node.view, names);
    const content = userContent(node.text, node.attachments ?? [], urlOf, names.partIds(node.id));
    return [{ id: names.userMessageId(node.id) ?? node.id, role: 'user', content }];
  });
}
