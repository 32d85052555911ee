/** The part of a chat completion request that the simulator reads. `validateChatRequest` vouches for the shape. */
export type ChatRequest = {
  model: string;
  messages: ChatMessage[];
  tools?: ToolOffer[];
  tool_choice?: ToolChoice;
  stream?: boolean | null;
  stream_options?: { include_usage?: boolean } | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  prompt_cache_key?: string | null;
};

export type ChatMessage =
  | { role: 'system' | 'developer' | 'user'; content: Content; name?: string }
  | { role: 'assistant'; content?: Content | null; tool_calls?: ToolCallMessage[] }
  | { role: 'tool'; content: Content; tool_call_id: string }
  | { role: 'function'; content: string | null; name: string };

export type Content = string | ContentPart[];

export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'refusal'; refusal: string }
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } };

export type ImagePart = Extract<ContentPart, { type: 'image_url' }>;

export type ToolCallMessage = {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
};

export type ToolOffer = {
  type: 'function';
  function: { name: string; description?: string; parameters?: JsonObject; strict?: boolean | null };
};

export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { type: 'function'; function: { name: string } }
  | {
      type: 'allowed_tools';
      allowed_tools: { mode: 'auto' | 'required'; tools: { type: 'function'; function: { name: string } }[] };
    };

export type JsonObject = { [key: string]: unknown };

/** True for what JSON calls an object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a content field; images and refusals leave no trace in it. */
export function textOf(content: Content | null | undefined): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
