import { describe, expect, it } from 'vitest';
import { type OverflowKind, recogniseOverflow } from './context-overflow.js';

/** Status, what the endpoint said, and what it means: kind, limit, actual. The texts are as they were reported. */
type Case = [
  status: number | undefined,
  text: string,
  kind: OverflowKind,
  limit: number | null,
  actual: number | null,
];

const NGINX =
  '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<hr><center>nginx</center>\r\n</html>';

const OVERFLOWS: Case[] = [
  [400, 'prompt is too long: 213462 tokens > 200000 maximum', 'tokens', 200_000, 213_462],
  [
    400,
    'input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000, decrease input length',
    'tokens',
    200_000,
    238_167,
  ],
  [
    400,
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130021 tokens (130000 in the messages, 21 in the functions).",
    'tokens',
    128_000,
    130_021,
  ],
  [
    400,
    "This model's maximum context length is 8192 tokens. However, you requested 8203 tokens (7691 in the messages, 512 in the completion).",
    'tokens',
    8_192,
    8_203,
  ],
  [
    400,
    "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 30 input tokens",
    'tokens',
    4_096,
    30,
  ],
  [
    400,
    'Your input exceeds the context window of this model. Please adjust your input and try again. context_length_exceeded',
    'tokens',
    null,
    null,
  ],
  [400, 'litellm.ContextWindowExceededError: litellm.BadRequestError: too long', 'tokens', null, null],
  [
    400,
    'The input token count (1194436) exceeds the maximum number of tokens allowed (1048576).',
    'tokens',
    1_048_576,
    1_194_436,
  ],
  [
    400,
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'tokens',
    131_072,
    537_812,
  ],
  [
    400,
    'Prompt contains 40138 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    'tokens',
    32_768,
    40_138,
  ],
  [400, 'Requested tokens (5136) exceed context window of 4096', 'tokens', 4_096, 5_136],
  [
    400,
    'the request exceeds the available context size (8192 tokens), try increasing it',
    'tokens',
    8_192,
    null,
  ],
  [400, 'ValidationException: Input is too long for requested model.', 'tokens', null, null],
  [undefined, 'context_length_exceeded', 'tokens', null, null],
  [
    400,
    'Total image size is 50.56MB, which exceeds the allowed limit of 50MB.',
    'images_total',
    50_000_000,
    50_560_000,
  ],
  [
    400,
    'messages.58.content.2.image.source.base64: image exceeds 5 MB maximum: 6500712 bytes > 5242880 bytes',
    'image_bytes',
    5_242_880,
    6_500_712,
  ],
  [
    400,
    "You uploaded an unsupported image. Please make sure your image is below 20 MB in size and is of one the following formats: ['png'].",
    'image_bytes',
    20_000_000,
    null,
  ],
  [
    400,
    'At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    'image_side',
    2_000,
    null,
  ],
  [400, 'too many images and documents: 101 + 0 > 100', 'image_count', 100, 101],
  [400, 'Too many images in request. Max is 500.', 'image_count', 500, null],
  [400, 'At most 4 image(s) may be provided in one request.', 'image_count', 4, null],
  [
    400,
    'Unable to submit request because it has 31 image files but the model only supports up to 16.',
    'image_count',
    16,
    31,
  ],
  [400, 'Could not process image', 'image_rejected', null, null],
  [400, 'Unable to process input image. Please retry or report', 'image_rejected', null, null],
  [
    400,
    'You uploaded an unsupported image. Please make sure your image is valid. image_parse_error',
    'image_rejected',
    null,
    null,
  ],
  [
    400,
    'messages.0.content.1.image.source.base64.data: Image does not match the provided media type image/png',
    'image_rejected',
    null,
    null,
  ],
  [413, NGINX, 'body_bytes', null, null],
  [413, '', 'body_bytes', null, null],
  [413, 'request_too_large Request exceeds the maximum size', 'body_bytes', null, null],
  [400, 'Request payload size exceeds the limit: 20971520 bytes.', 'body_bytes', 20_971_520, null],
  [
    400,
    'Request size is too large. Request size is 77.1 MB. Max size is 30.0 MB',
    'body_bytes',
    30_000_000,
    77_100_000,
  ],
  [
    500,
    '{"error":{"code":500,"status":"RESOURCE_EXHAUSTED","message":"Resource has been exhausted (e.g. check quota)."}}',
    'body_bytes',
    null,
    null,
  ],
];

const OTHERS: [number | undefined, string][] = [
  [400, 'ThrottlingException: Too many tokens, please wait before trying again.'],
  [429, 'Too many tokens per day, please wait before trying again.'],
  [
    429,
    'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 39000.',
  ],
  [429, '{"status":"RESOURCE_EXHAUSTED"}'],
  [429, 'Rate limit reached for images per minute'],
  [413, 'rate_limit_exceeded: Request too large for model on tokens per minute (TPM): Limit 6000'],
  [400, 'You exceeded your current quota, please check your plan'],
  [400, "Invalid value: 'imge_url'. Supported values are: 'image_url'."],
  [400, 'Error while downloading https://example.org/a.png.'],
  [400, 'An assistant message with tool_calls must be followed by tool messages'],
  [401, 'Incorrect API key provided'],
  [500, 'The server had an error while processing your request'],
  [503, 'The model is overloaded'],
  [undefined, 'Internal error'],
];

describe('C6: what an endpoint refuses', () => {
  it.each(OVERFLOWS)('%s %s is too large: %s', (status, text, kind, limit, actual) => {
    expect(recogniseOverflow(status, text)).toEqual({ kind, limit, actual });
  });

  it.each(OTHERS)('%s %s is about something else', (status, text) => {
    expect(recogniseOverflow(status, text)).toBeNull();
  });
});
