import { type Event, EventType } from '@ag-ui/core';
import type { MessageEvent, MessageView } from '@plinth/protocol';
import { reasoningId, resultMessageId, turnMessageId } from './agui-ids.js';
import { isOpenCall } from './agui-messages.js';
import { StreamedText } from './streamed-text.js';

type Of<T extends MessageEvent['type']> = Extract<MessageEvent, { type: T }>;
type Channel = 'text' | 'reasoning';

/**
 * Turns the events of one message's log into those of AG-UI. Entries may come again, or be in a snapshot already: what the
 * reader has is not sent twice.
 */
export class AguiTranslator {
  readonly #messageId: string;
  readonly #texts = { text: new Map<number, StreamedText>(), reasoning: new Map<number, StreamedText>() };
  /** Calls that the reader knows, with the arguments that it was shown. */
  readonly #calls = new Map<string, string>();
  readonly #settled: Set<string>;

  /** @param settled calls whose results the client brought itself */
  constructor(messageId: string, settled: Iterable<string> = []) {
    this.#messageId = messageId;
    this.#settled = new Set(settled);
  }

  /** The reader has been given all of this in a snapshot, and nothing else. */
  prime(view: MessageView): void {
    this.#texts.text.clear();
    this.#texts.reasoning.clear();
    for (const part of view.parts) if (part.type !== 'tool') this.#textOf(part.type, part.turn).finish();
    for (const call of view.calls) {
      this.#calls.set(call.callId, JSON.stringify(call.arguments));
      if (!isOpenCall(call)) this.#settled.add(call.callId);
    }
  }

  /** Whether the reader has an unfinished text of this turn, which it would have to forget when that is withdrawn. */
  isStreaming(turn: number): boolean {
    return Object.values(this.#texts).some((texts) => texts.get(turn)?.isDone === false);
  }

  /** Ends what is still open: a run of AG-UI must not end, and a snapshot not come, inside of a message. */
  close(): Event[] {
    return (['reasoning', 'text'] as const).flatMap((channel) =>
      [...this.#texts[channel]].flatMap(([turn, text]) => {
        if (!text.isOpen) return [];
        text.isOpen = false;
        return this.#end(channel, turn);
      }),
    );
  }

  /** @param isKnown the reader has the state up to here: what is no state (progress, notices) is not told again */
  translate(event: MessageEvent, isKnown: boolean): Event[] {
    switch (event.type) {
      case 'text.delta':
        return this.#piece('text', event.turn, event.from, event.text);
      case 'reasoning.delta':
        return this.#piece('reasoning', event.turn, event.from, event.text);
      case 'text.done':
        return this.#done('text', event.turn, event.text);
      case 'reasoning.done':
        return this.#done('reasoning', event.turn, event.text);
      case 'tool.started':
        return this.#call(event);
      case 'tool.result':
        return this.#result(event.callId, event.summary ?? '', {
          status: 'succeeded',
          artifactIds: event.artifactIds,
        });
      case 'tool.failed':
        return this.#result(event.callId, event.error.message, {
          status: event.status,
          code: event.error.code,
        });
      case 'tool.declined':
        return this.#result(event.callId, event.reason ?? '', { status: 'declined' });
      case 'tool.progress':
      case 'artifact.created':
      case 'notice':
        return isKnown ? [] : [custom(event)];
      default:
        return [];
    }
  }

  #textOf(channel: Channel, turn: number): StreamedText {
    const texts = this.#texts[channel];
    const text = texts.get(turn) ?? new StreamedText();
    texts.set(turn, text);
    return text;
  }

  #piece(channel: Channel, turn: number, from: number, piece: string): Event[] {
    const text = this.#textOf(channel, turn);
    const delta = text.add(from, piece);
    if (delta === '') return [];
    const start = text.isOpen ? [] : this.#start(channel, turn);
    text.isOpen = true;
    return [...start, this.#content(channel, turn, delta)];
  }

  #done(channel: Channel, turn: number, whole: string): Event[] {
    const rest = this.#piece(channel, turn, 0, whole);
    const text = this.#textOf(channel, turn);
    const end = text.isOpen ? this.#end(channel, turn) : [];
    text.finish();
    return [...rest, ...end];
  }

  #start(channel: Channel, turn: number): Event[] {
    if (channel === 'text')
      return [
        {
          type: EventType.TEXT_MESSAGE_START,
          messageId: turnMessageId(this.#messageId, turn),
          role: 'assistant',
        },
      ];
    const messageId = reasoningId(this.#messageId, turn);
    return [
      { type: EventType.REASONING_START, messageId },
      { type: EventType.REASONING_MESSAGE_START, messageId, role: 'reasoning' },
    ];
  }

  #content(channel: Channel, turn: number, delta: string): Event {
    return channel === 'text'
      ? { type: EventType.TEXT_MESSAGE_CONTENT, messageId: turnMessageId(this.#messageId, turn), delta }
      : { type: EventType.REASONING_MESSAGE_CONTENT, messageId: reasoningId(this.#messageId, turn), delta };
  }

  #end(channel: Channel, turn: number): Event[] {
    if (channel === 'text')
      return [{ type: EventType.TEXT_MESSAGE_END, messageId: turnMessageId(this.#messageId, turn) }];
    const messageId = reasoningId(this.#messageId, turn);
    return [
      { type: EventType.REASONING_MESSAGE_END, messageId },
      { type: EventType.REASONING_END, messageId },
    ];
  }

  #call({ callId, tool, turn, arguments: given }: Of<'tool.started'>): Event[] {
    const args = JSON.stringify(given);
    const shown = this.#calls.get(callId);
    this.#calls.set(callId, args);
    if (shown === args) return [];
    // AG-UI has no event that replaces the arguments of a call.
    if (shown !== undefined)
      return [
        {
          type: EventType.CUSTOM,
          name: 'plinth.arguments_edited',
          value: { toolCallId: callId, arguments: given },
        },
      ];
    return [
      {
        type: EventType.TOOL_CALL_START,
        toolCallId: callId,
        toolCallName: tool,
        parentMessageId: turnMessageId(this.#messageId, turn),
      },
      ...(given === null
        ? []
        : [{ type: EventType.TOOL_CALL_ARGS as const, toolCallId: callId, delta: args }]),
      { type: EventType.TOOL_CALL_END, toolCallId: callId },
    ];
  }

  #result(callId: string, content: string, about: Record<string, unknown>): Event[] {
    if (this.#settled.has(callId)) return [];
    this.#settled.add(callId);
    return [
      {
        type: EventType.TOOL_CALL_RESULT,
        messageId: resultMessageId(callId),
        toolCallId: callId,
        role: 'tool',
        content,
        metadata: { plinth: about },
      },
    ];
  }
}

function custom(event: Of<'tool.progress' | 'artifact.created' | 'notice'>): Event {
  const named = (name: string, value: unknown): Event => ({ type: EventType.CUSTOM, name, value });
  switch (event.type) {
    case 'artifact.created':
      return named('plinth.artifact', event.artifact);
    case 'notice':
      return named('plinth.notice', { code: event.code, message: event.message });
    case 'tool.progress':
      return named('plinth.progress', {
        toolCallId: event.callId,
        progress: event.progress,
        message: event.message,
      });
  }
}
