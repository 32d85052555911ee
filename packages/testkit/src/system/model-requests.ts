import { createHash } from 'node:crypto';

/** A picture as it stands in a request to a model. */
export interface SentPicture {
  messageIndex: number;
  mimeType: string;
  bytes: Buffer;
  sha256: string;
}

interface Part {
  type: string;
  text?: string;
  image_url?: { url: string };
}
export interface SentMessage {
  role: string;
  content?: string | Part[] | null;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}
export interface SentRequest {
  messages: SentMessage[];
  tools?: unknown[];
}

export const parseRequest = (raw: string): SentRequest => JSON.parse(raw) as SentRequest;

/** All pictures that stand in the request's body, in order. */
export function picturesIn({ messages }: SentRequest): SentPicture[] {
  return messages.flatMap(({ content }, messageIndex) =>
    Array.isArray(content)
      ? content.flatMap((part) => {
          const [, mimeType = '', base64 = ''] =
            /^data:([^;]*);base64,(.*)$/s.exec(part.image_url?.url ?? '') ?? [];
          if (base64 === '') return [];
          const bytes = Buffer.from(base64, 'base64');
          return [
            { messageIndex, mimeType, bytes, sha256: createHash('sha256').update(bytes).digest('hex') },
          ];
        })
      : [],
  );
}

/** All that is said in a message. */
export function textIn({ content }: SentMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}

/** A prompt in the order in which a provider reads and caches it: tools, then message after message. */
const promptOf = ({ tools = [], messages }: SentRequest): Buffer =>
  Buffer.from([JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))].join('\n'));

/** Which share of the bytes of a prompt the next one begins with. */
export function prefixShare(before: SentRequest, after: SentRequest): number {
  const [old, fresh] = [promptOf(before), promptOf(after)];
  const most = Math.min(old.length, fresh.length);
  let common = 0;
  while (common < most && old[common] === fresh[common]) common += 1;
  return common / old.length;
}
