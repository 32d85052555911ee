import type { ChatRequest, JsonObject, ToolCallMessage } from '../api/chat-request.js';
import type { Reply } from './reply.js';
import { splitText } from './split-text.js';
import { completionIdOf, toolCallMessagesOf } from './tool-call-id.js';
import { type CountedPrompt, type Usage, usageOf } from './usage.js';

/** A fixed moment: a clock would make two answers to the same request differ. */
const CREATED_AT_SECONDS = 1_767_225_600;
const ARGUMENT_PIECE = 12;

/** One turn of the model, ready for the wire in either form. */
export type Completion = {
  id: string;
  model: string;
  text: string;
  reasoning: string;
  toolCalls: ToolCallMessage[];
  finishReason: 'stop' | 'tool_calls';
  usage: Usage;
};

/** Makes the completion that a reply stands for; a pure function of its arguments. */
export function completionOf(request: ChatRequest, reply: Reply, prompt: CountedPrompt): Completion {
  const text = reply.text ?? '';
  const reasoning = reply.reasoning ?? '';
  const toolCalls = toolCallMessagesOf(request, reply.toolCalls ?? []);
  return {
    id: completionIdOf(request),
    model: request.model,
    text,
    reasoning,
    toolCalls,
    finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    usage: usageOf(prompt, { text, reasoning, toolCalls }),
  };
}

/** The body of an answer that is not streamed. */
export function completionBody(completion: Completion): JsonObject {
  const { text, reasoning, toolCalls } = completion;
  const message = {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    refusal: null,
    annotations: [],
  };
  return {
    ...envelope(completion, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: completion.finishReason }],
    usage: completion.usage,
  };
}

/** How an answer is streamed. Text comes in tokens unless `chunkCharacters` says how much a chunk holds. */
export type Chunking = { includeUsage: boolean; chunkCharacters?: number | undefined };

/** The chunks of a streamed answer, in order, without the closing `[DONE]`. */
export function completionChunks(
  completion: Completion,
  { includeUsage, chunkCharacters }: Chunking,
): JsonObject[] {
  const base = envelope(completion, 'chat.completion.chunk');
  const chunk = (delta: JsonObject, finishReason: string | null = null): JsonObject => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...(includeUsage ? { usage: null } : {}),
  });
  const chunks = deltasOf(completion, chunkCharacters).map((delta) => chunk(delta));
  chunks.push(chunk({}, completion.finishReason));
  if (includeUsage) chunks.push({ ...base, choices: [], usage: completion.usage });
  return chunks;
}

function deltasOf(
  { text, reasoning, toolCalls }: Completion,
  chunkCharacters: number | undefined,
): JsonObject[] {
  const split = (all: string) =>
    chunkCharacters === undefined ? splitText(all) : splitEvery(all, chunkCharacters);
  const opening = {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : '',
    refusal: null,
  };
  return [
    opening,
    ...split(reasoning).map((piece) => ({ reasoning_content: piece })),
    ...split(text).map((piece) => ({ content: piece })),
    ...toolCalls.flatMap((call, index) => toolCallDeltas(call, index)),
  ];
}

function toolCallDeltas(call: ToolCallMessage, index: number): JsonObject[] {
  const { name, arguments: text } = call.function;
  const opening = { index, id: call.id, type: 'function', function: { name, arguments: '' } };
  const fragments = splitEvery(text, ARGUMENT_PIECE).map((piece) => ({
    index,
    function: { arguments: piece },
  }));
  return [opening, ...fragments].map((delta) => ({ tool_calls: [delta] }));
}

function splitEvery(text: string, size: number): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size)
    pieces.push(characters.slice(start, start + size).join(''));
  return pieces;
}

function envelope({ id, model }: Completion, object: string): JsonObject {
  return {
    id,
    object,
    created: CREATED_AT_SECONDS,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_plinth_sim',
  };
}
