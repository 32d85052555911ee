import { createHash } from 'node:crypto';
import type { ChatMessage, ChatRequest, Content, ImagePart, ToolCallMessage } from '../api/chat-request.js';
import { estimateTokens } from './estimate-tokens.js';

/**
 * A part of a prompt in the order in which the model reads it: tools first, then message after message. For an image
 * `text` is a digest: a conversation has megabytes of them.
 */
export type PromptPiece = { kind: 'tools' | 'text' | 'image'; text: string; tokens: number };

/** Tokens of one image of the request. */
export type ImageTokens = (part: ImagePart, messageIndex: number, partIndex: number) => number;

const PER_MESSAGE = 4;
const IMAGE_LOW = 85;
const IMAGE_HIGH = 765;

/** The published figures for one 1024 px square, whatever the image's size. */
export const fixedImageTokens: ImageTokens = (part) =>
  part.image_url.detail === 'low' ? IMAGE_LOW : IMAGE_HIGH;

/** Cuts a prompt into pieces whose tokens add up to its own, but for the opening of the answer. */
export function promptPieces(request: ChatRequest, imageTokens: ImageTokens): PromptPiece[] {
  const tools = request.tools ? [text(JSON.stringify(request.tools), 'tools')] : [];
  return [
    ...tools,
    ...request.messages.flatMap((message, index) => messagePieces(message, index, imageTokens)),
  ];
}

function messagePieces(message: ChatMessage, index: number, imageTokens: ImageTokens): PromptPiece[] {
  return [
    { kind: 'text', text: message.role, tokens: PER_MESSAGE },
    ...contentPieces(message.content, index, imageTokens),
    ...(message.role === 'assistant' ? (message.tool_calls ?? []).flatMap(callPieces) : []),
  ];
}

function contentPieces(
  content: Content | null | undefined,
  messageIndex: number,
  imageTokens: ImageTokens,
): PromptPiece[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [text(content)];
  return content.flatMap((part, index): PromptPiece[] => {
    if (part.type === 'text') return [text(part.text)];
    if (part.type !== 'image_url') return [];
    const digest = createHash('sha256').update(part.image_url.url).digest('hex');
    return [{ kind: 'image', text: digest, tokens: imageTokens(part, messageIndex, index) }];
  });
}

const callPieces = (call: ToolCallMessage): PromptPiece[] => [
  text(call.function.name),
  text(call.function.arguments),
];

function text(value: string, kind: 'text' | 'tools' = 'text'): PromptPiece {
  return { kind, text: value, tokens: estimateTokens(value) };
}
