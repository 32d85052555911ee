import type { ArtifactStore, ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { RunError, TenantId } from '@plinth/protocol';
import { isTaken } from './is-taken.js';
import { McpFailure } from './mcp-failure.js';
import type { McpPools } from './mcp-pools.js';
import { outcomeOf } from './mcp-result.js';
import type { McpServers } from './mcp-servers.js';

/**
 * Calls tools of MCP servers. A call is made once: nothing is known of what a second one would do. What goes wrong is
 * told to the model in terms of what it may do next.
 */
export class McpExecutor implements ToolExecutor {
  constructor(
    private readonly servers: Pick<McpServers, 'find'>,
    private readonly pools: McpPools,
    private readonly store: ArtifactStore,
  ) {}

  async execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const { tool } = invocation;
    const { executor } = tool;
    if (executor.kind !== 'mcp') throw new Error(`tool ${tool.key} is not of an MCP server`);
    const server = await this.servers.find(tenant, executor.server);
    if (server === null)
      return failed(
        'unavailable',
        `The MCP server "${executor.server}" is not registered any more. ${GIVE_UP}`,
      );
    if (!isTaken(executor.tool, server.definition))
      return failed(
        'not_permitted',
        `The MCP server's tool "${executor.tool}" is not permitted any more. ${GIVE_UP}`,
      );
    try {
      const result = await this.pools.of(tenant, server).use((connection) =>
        connection.call({
          tool: executor.tool,
          arguments: invocation.arguments,
          timeoutMs: Math.min(tool.timeoutMs, server.definition.timeoutMs),
          signal,
          onProgress: ({ progress, total, message = null }) =>
            invocation.progress({ progress: total ? progress / total : null, message }),
        }),
      );
      return await outcomeOf(this.store, tenant, executor.tool, result);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof McpFailure)) throw error;
      // What was sent and not answered may have taken effect: the engine tells the model, or has a person asked.
      const isInDoubt = (error.kind === 'lost' || error.kind === 'timed_out') && !tool.idempotent;
      const kind = isInDoubt ? 'unknown' : 'failed';
      return { kind, error: errorOf(error, executor.server, tool.idempotent) };
    }
  }
}

const GIVE_UP = 'Do not call it again; tell the user.';

const failed = (code: string, message: string): ToolOutcome => ({ kind: 'failed', error: { code, message } });

/** JSON-RPC codes that say that the call was not carried out, and why. */
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/** What a failure is to the model: what happened, and what it may do. */
export function errorOf(failure: McpFailure, server: string, idempotent: boolean): RunError {
  const what = `The MCP server "${server}" ${failure.message}.`;
  const doubt = idempotent ? 'It may be called again.' : 'Whether the call took effect is not known.';
  switch (failure.kind) {
    case 'unavailable':
      return { code: 'unavailable', message: `${what} The call had no effect. Do not retry now.` };
    case 'lost':
      return { code: idempotent ? 'unavailable' : 'connection_lost', message: `${what} ${doubt}` };
    case 'timed_out':
      return { code: 'timed_out', message: `${what} ${doubt}` };
    case 'too_large':
      return { code: 'result_too_large', message: `${what} Ask for less. ${doubt}` };
    case 'bad_answer':
      return { code: 'invalid_output', message: `${what} ${doubt}` };
    case 'refused':
      return refusal(failure, server);
  }
}

function refusal({ code, message }: McpFailure, server: string): RunError {
  const words = `The MCP server "${server}" refused the call: ${message}`;
  if (code === INVALID_PARAMS)
    return { code: 'invalid_arguments', message: `${words} Correct the arguments.` };
  if (code === METHOD_NOT_FOUND) return { code: 'unavailable', message: `${words} ${GIVE_UP}` };
  return { code: 'remote_error', message: words };
}
