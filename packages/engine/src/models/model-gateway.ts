import type { TenantId, Usage } from '@plinth/protocol';
import type { ContextOverflow } from './context-overflow.js';

/** A request in the OpenAI chat completions format; key order is the order of its bytes. */
export interface ModelRequest {
  /** The body, serialised once: what is digested is what is sent. */
  body: string;
  digest: string;
  timeoutMs: number;
}

export interface ModelReply {
  /** The assistant message as JSON text, as later requests repeat it. */
  assistantRaw: string;
  text: string;
  toolCalls: { id: string; name: string; arguments: string }[];
  usage: Usage;
}

/** What a model's answer brings while it streams. */
export interface ModelStreamHandler {
  onText(text: string): void;
  onReasoning(text: string): void;
  /** Tokens of this request so far. A later word replaces an earlier one; a try that fails has cost them all the same. */
  onUsage(usage: Usage): void;
}

/**
 * A named failure of the model's endpoint. `retryable`: the same request may succeed a little later. `context_overflow`: it
 * was too large; a smaller one may succeed. `images_unfetched`: it could not fetch the pictures from their addresses; the same
 * request with them inside may succeed.
 */
export class ModelError extends Error {
  constructor(
    readonly kind:
      | 'timeout'
      | 'unreachable'
      | 'throttled'
      | 'rejected'
      | 'server_error'
      | 'bad_response'
      | 'context_overflow'
      | 'images_unfetched',
    readonly retryable: boolean,
    message: string,
    /** What was too large; of a `context_overflow` alone. */
    readonly overflow: ContextOverflow | null = null,
  ) {
    super(message);
    this.name = 'ModelError';
  }
}

export interface ModelGateway {
  /** @throws ModelError; the signal's reason when aborted. */
  stream(
    tenant: TenantId,
    request: ModelRequest,
    handler: ModelStreamHandler,
    signal: AbortSignal,
  ): Promise<ModelReply>;
}
