import { ModelError, type ModelReply, type ModelStreamHandler } from '@plinth/engine';
import { NO_USAGE, type Usage } from '@plinth/protocol';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

/** Servers that show their model's reasoning send it in one of these, outside the official format. */
type Delta = ChatCompletionChunk.Choice.Delta & {
  reasoning_content?: string | null;
  reasoning?: string | null;
};
type Fragment = ChatCompletionChunk.Choice.Delta.ToolCall;
interface Call {
  id: string;
  name: string;
  arguments: string;
}

/** Puts the chunks of one streamed answer together and passes on what can be shown at once. */
export class ReplyCollector {
  #text = '';
  #usage: Usage = NO_USAGE;
  #finishReason: string | null = null;
  readonly #calls = new Map<number, Call>();

  constructor(private readonly handler: ModelStreamHandler) {}

  add(chunk: ChatCompletionChunk): void {
    if (chunk.usage) {
      this.#usage = usageOf(chunk.usage);
      this.handler.onUsage(this.#usage);
    }
    const choice = chunk.choices?.find(({ index }) => index === 0);
    if (choice === undefined) return;
    this.#addDelta(choice.delta ?? {});
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
  }

  /** @throws ModelError when the answer is not whole or breaks the format. */
  reply(): ModelReply {
    if (this.#finishReason === null) {
      throw new ModelError(
        'bad_response',
        true,
        'The model endpoint ended its answer before it was complete.',
      );
    }
    if (this.#finishReason === 'content_filter') {
      throw new ModelError('rejected', false, "The provider's content filter stopped the answer.");
    }
    const toolCalls = [...this.#calls.entries()].sort(([a], [b]) => a - b).map(([, call]) => call);
    if (toolCalls.some(({ id, name }) => id === '' || name === '')) {
      throw new ModelError(
        'bad_response',
        true,
        'The model endpoint sent a tool call without an id or a name.',
      );
    }
    return {
      assistantRaw: assistantMessage(this.#text, toolCalls),
      text: this.#text,
      toolCalls,
      usage: this.#usage,
    };
  }

  #addDelta(delta: Delta): void {
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (reasoning) this.handler.onReasoning(reasoning);
    // A refusal is the model's answer in words, and takes the place of its content.
    const text = delta.content || delta.refusal;
    if (text) {
      this.#text += text;
      this.handler.onText(text);
    }
    for (const fragment of delta.tool_calls ?? []) this.#addFragment(fragment);
  }

  /** The id and name come with a call's first fragment, and with some servers with every one. */
  #addFragment(fragment: Fragment): void {
    const call = this.#calls.get(fragment.index) ?? { id: '', name: '', arguments: '' };
    this.#calls.set(fragment.index, {
      id: fragment.id || call.id,
      name: fragment.function?.name || call.name,
      arguments: call.arguments + (fragment.function?.arguments ?? ''),
    });
  }
}

/** The assistant message as later requests repeat it. The order of the keys is part of the bytes. */
function assistantMessage(text: string, toolCalls: readonly Call[]): string {
  if (toolCalls.length === 0) return JSON.stringify({ role: 'assistant', content: text });
  return JSON.stringify({
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  });
}

function usageOf(usage: NonNullable<ChatCompletionChunk['usage']>): Usage {
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
  };
}
