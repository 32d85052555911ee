import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  type Progress,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@plinth/protocol';
import { z } from 'zod';
import { failureOf, McpFailure, MessageTooLarge, tooLarge } from './mcp-failure.js';
import type { OpenedTransport } from './mcp-transport.js';

/** Each tool is looked at on its own later: one that is no good must not hide the others. */
const toolList = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Most that one server may offer; beyond it the list is taken for endless. */
const MOST_TOOLS = 2000;
const MOST_PAGES = 100;
/** Milliseconds to say goodbye to a server. */
const GOODBYE_MS = 2_000;

export interface McpCall {
  tool: string;
  arguments: JsonObject;
  timeoutMs: number;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** One session with an MCP server. All it throws by itself are `McpFailure`s; an abort's reason is thrown as it is. */
export class McpConnection {
  #closed = false;
  #wasTooLarge = false;
  #listChanged: () => void = () => {};
  readonly #client: Client;

  private constructor(private readonly opened: OpenedTransport) {
    this.#client = new Client({ name: 'plinth', version: '0.1.0' }, { capabilities: {} });
    this.#client.onclose = () => {
      this.#closed = true;
    };
    this.#client.onerror = (error) => {
      // The transport ends the process then, and does not say why to those who wait.
      if (error instanceof MessageTooLarge) this.#wasTooLarge = true;
    };
    this.#client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#listChanged());
  }

  /** @throws McpFailure `unavailable` when no session is there after `timeoutMs` */
  static async open(
    opened: OpenedTransport,
    { timeoutMs, onListChanged }: { timeoutMs: number; onListChanged: () => void },
  ): Promise<McpConnection> {
    const connection = new McpConnection(opened);
    connection.#listChanged = onListChanged;
    try {
      // The SDK's own limit is for the answer alone; what is before it (a token, say) may hang as well.
      const client = connection.#client;
      await Promise.race([
        client.connect(opened.transport, { timeout: timeoutMs }),
        afterTime(timeoutMs + 100),
      ]);
      return connection;
    } catch (error) {
      await connection.close();
      throw unavailable(error);
    }
  }

  /** No request can be made any more: it was closed, or the server has gone. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** What the server's process has written to its error output lately. */
  get errorOutput(): string {
    return this.opened.errorOutput();
  }

  /** @throws McpFailure; the signal's reason when aborted: the server is told that the call is cancelled */
  async call(call: McpCall): Promise<CallToolResult> {
    const { tool, timeoutMs, signal, onProgress } = call;
    return this.#request(signal, () =>
      this.#client.request(
        { method: 'tools/call', params: { name: tool, arguments: call.arguments } },
        CallToolResultSchema,
        { timeout: timeoutMs, signal, onprogress: onProgress },
      ),
    );
  }

  /** All tools as the server describes them, unchecked. @throws McpFailure */
  async listTools(timeoutMs: number, signal: AbortSignal): Promise<unknown[]> {
    const tools: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES && tools.length <= MOST_TOOLS; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const options = { timeout: timeoutMs, signal };
      const list = await this.#request(signal, () =>
        this.#client.request({ method: 'tools/list', params }, toolList, options),
      );
      tools.push(...list.tools);
      cursor = list.nextCursor;
      if (cursor === undefined) return tools;
    }
    throw new McpFailure('bad_answer', 'lists tools without end');
  }

  /** Whether the server answers. One that does not is closed. */
  async isAlive(timeoutMs: number): Promise<boolean> {
    try {
      await this.#client.ping({ timeout: timeoutMs });
      return true;
    } catch {
      await this.close();
      return false;
    }
  }

  /** Ends the session; the process of a stdio server too, if need be by force. Never throws. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.race([this.opened.endSession(), afterTime(GOODBYE_MS)]).catch(() => {});
    await this.#client.close().catch(() => {});
    // Where the session never began, the client does not know the transport.
    await this.opened.transport.close().catch(() => {});
    this.opened.release();
  }

  async #request<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOf(error);
      if (!(failure instanceof McpFailure)) throw failure;
      // The session has ended, or will not be had: the next call opens another.
      if (failure.kind === 'unavailable') void this.close();
      throw this.#wasTooLarge && failure.kind === 'lost' ? tooLarge() : failure;
    }
  }
}

async function afterTime(ms: number): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  throw new McpFailure('timed_out', 'gave no answer in time');
}

function unavailable(error: unknown): unknown {
  const failure = failureOf(error);
  if (failure instanceof McpFailure) return new McpFailure('unavailable', failure.message, failure.code);
  const { code } = error as NodeJS.ErrnoException;
  return new McpFailure(
    'unavailable',
    typeof code === 'string' ? `could not be started (${code})` : wordsOf(error),
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'could not be reached';
}
