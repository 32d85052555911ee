import {
  ModelError,
  type ModelGateway,
  type ModelReply,
  type ModelRequest,
  type ModelStreamHandler,
} from '@plinth/engine';
import type { JsonObject, TenantId, Usage } from '@plinth/protocol';
import { type ChatMessage, pairingProblem } from './pairing-problem.js';

/** What the model says in one turn. */
export interface ModelLine {
  /** Text, or the pieces in which it streams. */
  text?: string | string[];
  reasoning?: string;
  calls?: { name: string; arguments: JsonObject | string }[];
  /** Thrown after text and reasoning have streamed. */
  fails?: Error;
  /** Tokens that are told before the answer is complete, or fails. Left out: as told with the whole answer. */
  usage?: Usage;
  /** Called when text and reasoning have streamed; the answer is complete when it resolves. */
  then?: (signal: AbortSignal) => Promise<void>;
}

export interface AskedModel {
  body: string;
  messages: ChatMessage[];
  /** `none`, `auto`, or the names that may be called. */
  toolChoice: string | string[] | null;
  /** What the model is told last, besides the conversation. */
  announcement: string | null;
}

/** As much of `tool_choice` as is read. */
type ToolChoice = string | { allowed_tools: { tools: { function: { name: string } }[] } };

function choiceOf(choice: ToolChoice | undefined): AskedModel['toolChoice'] {
  if (choice === undefined || typeof choice === 'string') return choice ?? null;
  return choice.allowed_tools.tools.map(({ function: { name } }) => name);
}

function announcementIn(messages: readonly ChatMessage[]): string | null {
  const last = messages.at(-1);
  return last?.role === 'system' ? last.content : null;
}

/** What a line says is chosen by what was really sent: the number of answers since the last user message. */
export type ModelScript = readonly ModelLine[] | ((asked: AskedModel, attempt: number) => ModelLine);

/**
 * A model that keeps no state between requests, and refuses what the real ones refuse: a call without a
 * result, a result without a call. Requests are recorded as they came.
 */
export class ScriptedModel implements ModelGateway {
  readonly asked: AskedModel[] = [];
  private readonly attempts = new Map<string, number>();

  constructor(public script: ModelScript) {}

  get bodies(): string[] {
    return this.asked.map(({ body }) => body);
  }

  async stream(
    _tenant: TenantId,
    request: ModelRequest,
    handler: ModelStreamHandler,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    signal.throwIfAborted();
    const parsed = JSON.parse(request.body) as { messages: ChatMessage[]; tool_choice?: ToolChoice };
    const asked: AskedModel = {
      body: request.body,
      messages: parsed.messages,
      toolChoice: choiceOf(parsed.tool_choice),
      announcement: announcementIn(parsed.messages),
    };
    this.asked.push(asked);
    const problem = pairingProblem(asked.messages);
    if (problem !== null) throw new ModelError('rejected', false, problem);
    const attempt = (this.attempts.get(request.body) ?? 0) + 1;
    this.attempts.set(request.body, attempt);
    return this.say(this.lineFor(asked, attempt), turnOf(asked.messages), handler, signal);
  }

  private lineFor(asked: AskedModel, attempt: number): ModelLine {
    if (typeof this.script === 'function') return this.script(asked, attempt);
    return this.script[turnOf(asked.messages)] ?? { text: 'Done.' };
  }

  private async say(
    line: ModelLine,
    turn: number,
    handler: ModelStreamHandler,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    if (line.reasoning) handler.onReasoning(line.reasoning);
    const pieces = line.text === undefined ? [] : Array.isArray(line.text) ? line.text : [line.text];
    for (const piece of pieces) {
      handler.onText(piece);
      await Promise.resolve();
      signal.throwIfAborted();
    }
    if (line.usage) handler.onUsage(line.usage);
    await line.then?.(signal);
    signal.throwIfAborted();
    if (line.fails) throw line.fails;
    const text = pieces.join('');
    const toolCalls = (line.calls ?? []).map((call, position) => ({
      id: `call_${turn}_${position}`,
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    }));
    const asks = toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }));
    const message = {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(asks.length === 0 ? {} : { tool_calls: asks }),
    };
    const usage = line.usage ?? { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 };
    handler.onUsage(usage);
    return { assistantRaw: JSON.stringify(message), text, toolCalls, usage };
  }
}

/** Answers of the model since the last user message. */
function turnOf(messages: readonly ChatMessage[]): number {
  const user = messages.findLastIndex(
    (message, index) => message.role === 'user' && !showsResults(message, messages[index - 1]),
  );
  return messages.slice(user).filter((message) => message.role === 'assistant').length;
}

/** Pictures of results are told by a user's message: no endpoint takes them in a tool's. No person wrote it. */
function showsResults({ content }: ChatMessage, before: ChatMessage | undefined): boolean {
  return before?.role === 'tool' && Array.isArray(content);
}
