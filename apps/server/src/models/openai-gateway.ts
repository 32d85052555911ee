import {
  type Clock,
  ModelError,
  type ModelGateway,
  type ModelReply,
  type ModelRequest,
  type ModelStreamHandler,
} from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import OpenAI from 'openai';
import type { Stream } from 'openai/core/streaming';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { Agent } from 'undici';
import { fetchWithLegibleErrors } from './legible-errors.js';
import { modelFailure } from './model-failure.js';
import { ReplyCollector } from './reply-collector.js';

export interface OpenAiOptions {
  apiKey: string;
  /** Undefined: the provider's own. */
  baseUrl?: string | undefined;
}

/** The package's own timer must never fire before ours: it stops at the headers, and ours at the last byte. */
const PACKAGE_TIMEOUT_MARGIN_MS = 60_000;

/**
 * The model behind an OpenAI-compatible endpoint, by the `openai` package.
 *
 * The body goes out as the very bytes that were digested: the package passes a string on as it is when the
 * request brings its own content type. Retries are the engine's business; here there are none.
 */
export class OpenAiGateway implements ModelGateway {
  readonly #client: OpenAI;
  /** Without undici's own limits of 300 s, which would cut a slow answer before the configured timeout. */
  readonly #connections = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  constructor(
    options: OpenAiOptions,
    private readonly clock: Clock,
  ) {
    this.#client = new OpenAI({
      apiKey: options.apiKey,
      // Null, not undefined: for what is undefined the package reads environment variables of its own.
      baseURL: options.baseUrl ?? null,
      organization: null,
      project: null,
      maxRetries: 0,
      logLevel: 'off',
      // The same fetch as the connections come from: those of the runtime's own are of another version.
      fetch: fetchWithLegibleErrors as unknown as typeof globalThis.fetch,
      fetchOptions: { dispatcher: this.#connections },
    });
  }

  async stream(
    _tenant: TenantId,
    request: ModelRequest,
    handler: ModelStreamHandler,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    signal.throwIfAborted();
    const cut = new AbortController();
    const onAbort = () => cut.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = new AbortController();
    this.clock.wait(request.timeoutMs, timer.signal).then(
      () =>
        cut.abort(
          new ModelError(
            'timeout',
            true,
            `The model gave no complete answer within ${request.timeoutMs} ms.`,
          ),
        ),
      () => undefined,
    );
    try {
      return await this.#exchange(request, handler, cut.signal);
    } catch (error) {
      // Whoever cut the request knows better why than the connection that broke by it.
      throw cut.signal.aborted ? cut.signal.reason : modelFailure(error);
    } finally {
      timer.abort();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Closes idle connections. */
  async close(): Promise<void> {
    await this.#connections.close();
  }

  async #exchange(
    request: ModelRequest,
    handler: ModelStreamHandler,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    const chunks: Stream<ChatCompletionChunk> = await this.#client.post('/chat/completions', {
      body: request.body,
      headers: { 'content-type': 'application/json' },
      stream: true,
      timeout: request.timeoutMs + PACKAGE_TIMEOUT_MARGIN_MS,
      signal,
    });
    const collector = new ReplyCollector(handler);
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      collector.add(chunk);
    }
    // The package ends the loop without a word when the request was cut.
    signal.throwIfAborted();
    return collector.reply();
  }
}
