import type { JsonObject, JsonValue } from '@plinth/protocol';
import { oddTools, realisticTools } from './odd-tools.js';

/**
 * What an MCP server can do wrong, written against the wire and not with a library that would keep it from it.
 *
 * - `mute`: never answers `initialize`
 * - `wrong_version`: speaks a version of the protocol that nobody knows
 * - `bad_schemas`: lists tools whose schemas are of no use
 * - `bad_list`: its list of tools is no list
 * - `endless_list`: its list has no last page
 * - `many`: offers 60 tools of the usual size beside its own
 * - `stays`: does not end when its input ends
 */
export type OddFault =
  | 'mute'
  | 'wrong_version'
  | 'bad_schemas'
  | 'bad_list'
  | 'endless_list'
  | 'many'
  | 'stays';

/** How an answer reaches the client, and how the connection to it breaks. */
export interface OddChannel {
  send(message: JsonObject): void;
  /** Ends as a crash does, in the middle of a call. */
  crash(): void;
}

type Request = { id?: string | number; method: string; params?: JsonObject };

/** What is answered; null: nothing, or not yet. */
type Answer = { result: JsonValue } | { error: JsonObject } | null;

const VERSION = '2025-06-18';
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] });
const refusal = (code: number, message: string): Answer => ({ error: { code, message } });

export class OddMcp {
  /** Calls that the client has taken back, by their tool. */
  readonly cancelled: string[] = [];
  /** Calls as they came, by their tool. */
  readonly calls: { tool: string; arguments: JsonObject }[] = [];
  private readonly added: string[] = [];
  private readonly running = new Map<string | number, string>();

  constructor(
    readonly name: string,
    readonly faults: ReadonlySet<OddFault>,
  ) {}

  handle(message: JsonObject, channel: OddChannel): void {
    const { id, method, params = {} } = message as unknown as Request;
    if (method === 'notifications/cancelled')
      this.cancelled.push(this.running.get(params.requestId as number) ?? 'unknown');
    if (id === undefined) return;
    if (method === 'tools/call') {
      this.running.set(id, String(params.name));
      this.calls.push({ tool: String(params.name), arguments: (params.arguments ?? {}) as JsonObject });
    }
    const answer = method === 'tools/call' ? this.call(id, params, channel) : this.answerTo(method, params);
    if (answer !== null) channel.send({ jsonrpc: '2.0', id, ...answer });
  }

  private answerTo(method: string, params: JsonObject): Answer {
    switch (method) {
      case 'initialize':
        return this.faults.has('mute') ? null : { result: this.introduction() };
      case 'ping':
        return { result: {} };
      case 'tools/list':
        return { result: this.list(params) };
      default:
        return refusal(-32601, `no method ${method}`);
    }
  }

  private introduction(): JsonObject {
    return {
      protocolVersion: this.faults.has('wrong_version') ? 'yesterday' : VERSION,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: this.name, version: '1' },
    };
  }

  private list({ cursor }: JsonObject): JsonObject {
    if (this.faults.has('bad_list')) return { tools: 'none of your business' };
    if (this.faults.has('endless_list')) return { tools: [], nextCursor: `${String(cursor ?? '')}x` };
    const tools = [
      ...oddTools(this.faults.has('bad_schemas')),
      ...(this.faults.has('many') ? realisticTools(60) : []),
      ...this.added.map((name) => ({ name, description: 'Came later.', inputSchema: { type: 'object' } })),
    ];
    return { tools };
  }

  private call(id: string | number, params: JsonObject, channel: OddChannel): Answer {
    const given = (params.arguments ?? {}) as JsonObject;
    switch (params.name) {
      case 'echo':
        return { result: text(`${this.name} says ${String(given.text)}`) };
      case 'slow':
        this.reportQuarter(params, channel);
        return null;
      case 'steps':
        this.reportQuarter(params, channel);
        // In a piece of its own: what comes with the answer in one may come too late.
        setTimeout(() => channel.send({ jsonrpc: '2.0', id, result: text('all steps') }), 20);
        return null;
      case 'crash':
        channel.crash();
        return null;
      case 'add_tool':
        this.added.push(String(given.name));
        channel.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        return { result: text('added') };
      case 'huge':
        return { result: text('x'.repeat(Number(given.bytes))) };
      case 'refuse':
        return { result: { ...text('The printer is out of paper. Fill it and call again.'), isError: true } };
      case 'wrong':
        return { result: { content: 'not a list' } };
      case 'rpc_error':
        return refusal(-32602, 'subject must not be empty');
      case 'products':
        return { result: products() };
      case 'pid':
        return { result: text(String(process.pid)) };
      default:
        return this.faults.has('many')
          ? { result: text(`did ${String(params.name)}`) }
          : refusal(-32602, `no tool ${String(params.name)}`);
    }
  }

  private reportQuarter({ _meta }: JsonObject, channel: OddChannel): void {
    const { progressToken = 0 } = (_meta ?? {}) as JsonObject;
    const params = { progressToken, progress: 1, total: 4, message: 'a quarter' };
    channel.send({ jsonrpc: '2.0', method: 'notifications/progress', params });
  }
}

function products(): JsonObject {
  const resource = { uri: 'file:///notes/plan.md', mimeType: 'text/markdown', text: '# Plan\n' };
  return {
    content: [
      { type: 'text', text: 'Two products.' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource },
    ],
    structuredContent: { made: 2 },
  };
}
