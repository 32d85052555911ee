import { badRequest, emptyArray, missingParameter, wrongType } from '../api/api-error.js';
import { type ChatRequest, isJsonObject } from '../api/chat-request.js';
import { validateImageFormats } from './validate-image-formats.js';
import { validateMessage } from './validate-message.js';
import { validateToolPairing } from './validate-tool-pairing.js';
import { validateToolChoice, validateTools } from './validate-tools.js';

const KNOWN_PARAMETERS = new Set([
  'audio',
  'frequency_penalty',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'metadata',
  'modalities',
  'model',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning_effort',
  'response_format',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
  'web_search_options',
]);

/**
 * Refuses, by throwing an `ApiError`, what the real chat completions endpoint refuses with a 400.
 * What it returns has the shape that the type says. `imageFormats` is false where a persona looks at the images itself.
 */
export function validateChatRequest(body: unknown, { imageFormats = true } = {}): ChatRequest {
  if (!isJsonObject(body)) throw wrongType('body', 'an object', body);
  if (typeof body.model !== 'string' || body.model === '')
    throw badRequest('you must provide a model parameter', null);
  for (const name of Object.keys(body)) {
    if (!KNOWN_PARAMETERS.has(name))
      throw badRequest(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  }
  if (body.messages === undefined) throw missingParameter('messages');
  if (!Array.isArray(body.messages)) throw wrongType('messages', 'an array of objects', body.messages);
  if (body.messages.length === 0) throw emptyArray('messages');
  const messages = body.messages.map((message: unknown, index) => validateMessage(message, index));
  if (imageFormats) validateImageFormats(messages);
  validateToolPairing(messages);
  const tools = validateTools(body.tools);
  validateToolChoice(body.tool_choice, tools);
  validateStreamOptions(body);
  return body as ChatRequest;
}

function validateStreamOptions({ stream, stream_options: options }: Record<string, unknown>): void {
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    throw wrongType('stream', 'a boolean', stream);
  if (options === undefined || options === null) return;
  if (!isJsonObject(options)) throw wrongType('stream_options', 'an object', options);
  if (stream !== true) {
    throw badRequest(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
}
