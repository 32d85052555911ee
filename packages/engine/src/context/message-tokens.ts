import { countTokens } from './count-tokens.js';
import { TextMemo } from './text-memo.js';

/**
 * What a provider puts around a message, and around a call. OpenAI's own recipe counts 3 for the first (cookbook, "How to
 * count tokens with tiktoken") and one more for a name. The second is not published: 10 is an assumption on the large side,
 * and what the provider counts in the end corrects it (`calibration.ts`).
 */
const PER_MESSAGE = 4;
const PER_CALL = 10;
/** UTF-16 code units of texts whose count is remembered: some 30 MB in the worst case. */
const REMEMBERED_CHARACTERS = 8_000_000;

interface Message {
  content?: string | null | { type: string; text?: string }[];
  tool_calls?: { function?: { name?: string; arguments?: string } }[];
}

function textsOf({ content, tool_calls: calls = [] }: Message): string[] {
  const said =
    typeof content === 'string' ? [content] : (content ?? []).flatMap(({ text }) => (text ? [text] : []));
  return [...said, ...calls.flatMap(({ function: asked }) => [asked?.name ?? '', asked?.arguments ?? ''])];
}

function countMessage(text: string): number {
  const message = JSON.parse(text) as Message;
  const calls = message.tool_calls?.length ?? 0;
  return textsOf(message).reduce((sum, part) => sum + countTokens(part), PER_MESSAGE + calls * PER_CALL);
}

const messages = new TextMemo(REMEMBERED_CHARACTERS, countMessage);
const texts = new TextMemo(REMEMBERED_CHARACTERS / 4, countTokens);

/** Tokens of a message without its pictures. A message has fewer tokens than bytes. */
export const messageTokens = (text: string): number => messages.of(text);

/** Tokens of a text that is in many requests: the definitions of the tools, say. */
export const textTokens = (text: string): number => texts.of(text);

/** About how many tokens so many bytes are: of prose less than a quarter, of JSON and Chinese near a third. */
export const aboutTokens = (bytes: number): number => Math.ceil(bytes / 3);
