import type { Fault } from './fault-queue.js';

type StatusFault = Extract<Fault, { kind: 'status' }>;

const openAiError = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, param: null, code },
});

/**
 * Errors as providers and gateways word them, for requests that no wall of a persona would refuse.
 *
 * `throttled` is Amazon Bedrock (anthropics/claude-code issue 1466, the words as a proxy passes them on:
 * aws-samples/well-architected-iac-analyzer issue 25): it speaks of tokens and has nothing to do with the window.
 * `quotaExhausted` is Gemini out of quota, also no overflow. `resourceExhausted` is a gRPC server behind an HTTP front that
 * got too large a message (googleapis/gax-php issue 320), told as a server error.
 */
export const KNOWN_FAULTS = {
  payloadTooLarge: {
    kind: 'status',
    status: 413,
    body: '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>\r\n<center><h1>413 Request Entity Too Large</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
  },
  totalImageSize: {
    kind: 'status',
    status: 400,
    body: openAiError(
      'Total image size is 50.56MB, which exceeds the allowed limit of 50MB.',
      'invalid_request_error',
    ),
  },
  promptTooLong: {
    kind: 'status',
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 213462 tokens > 200000 maximum',
      },
    },
  },
  contextLengthExceeded: {
    kind: 'status',
    status: 400,
    body: openAiError(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 202868 tokens. Please reduce the length of the messages.",
      'invalid_request_error',
      'context_length_exceeded',
    ),
  },
  resourceExhausted: {
    kind: 'status',
    status: 500,
    body: {
      error: {
        code: 500,
        message: '8 RESOURCE_EXHAUSTED: Received message larger than max (36254720 vs. 31457280)',
        status: 'INTERNAL',
      },
    },
  },
  imageRejected: {
    kind: 'status',
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Could not process image' },
    },
  },
  throttled: {
    kind: 'status',
    status: 429,
    body: openAiError(
      'ThrottlingException: Too many tokens, please wait before trying again.',
      'throttling_error',
    ),
  },
  quotaExhausted: {
    kind: 'status',
    status: 429,
    body: [
      {
        error: {
          code: 429,
          message: 'Resource has been exhausted (e.g. check quota).',
          status: 'RESOURCE_EXHAUSTED',
        },
      },
    ],
  },
} satisfies Record<string, StatusFault>;
