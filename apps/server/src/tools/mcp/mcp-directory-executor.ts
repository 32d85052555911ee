import type { ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { sentenceOf } from '../../tenants/field-errors.js';
import { enableTools } from './enable-tools.js';
import { errorOf } from './mcp-executor.js';
import { McpFailure } from './mcp-failure.js';
import type { McpServer, McpServers } from './mcp-servers.js';
import type { McpTool, McpToolList } from './mcp-tool.js';
import type { McpToolLists } from './mcp-tool-lists.js';

const PAGE = 20;
/** Characters of a description in a list: enough to choose by. */
const LINE = 160;

/** Lists what a server offers, a page at a time, and enables what the model chooses of it. */
export class McpDirectoryExecutor implements ToolExecutor {
  constructor(
    private readonly servers: Pick<McpServers, 'find'>,
    private readonly lists: McpToolLists,
  ) {}

  async execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const { executor } = invocation.tool;
    if (executor.kind !== 'mcp_directory') throw new Error(`tool ${invocation.tool.key} is no directory`);
    const key = invocation.arguments.server;
    const use = executor.servers.find(({ server }) => server === key);
    const server = use === undefined ? null : await this.servers.find(tenant, use.server);
    if (use === undefined || server === null)
      return failed(
        'unavailable',
        `The MCP server "${String(key)}" is not there any more. Go on without it.`,
      );
    try {
      const list = await this.lists.of(tenant, server, signal);
      return executor.action === 'list'
        ? listed(list, invocation)
        : enabled(server, list, invocation, use.requireConfirmation);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof McpFailure)) throw error;
      return { kind: 'failed', error: errorOf(error, server.key, true) };
    }
  }
}

const failed = (code: string, message: string): ToolOutcome => ({ kind: 'failed', error: { code, message } });

function listed({ tools }: McpToolList, { arguments: { query, cursor } }: ToolInvocation): ToolOutcome {
  const words = String(query ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean);
  const found = tools.filter((tool) => matches(tool, words));
  const from = Number(cursor ?? 0);
  if (!Number.isInteger(from) || from < 0)
    return failed('invalid_arguments', 'cursor: is not one that a list has returned. Leave it out.');
  const shown = found.slice(from, from + PAGE);
  const next = from + PAGE;
  return {
    kind: 'succeeded',
    value: {
      tools: shown.map(({ name, description }) => ({ name, description: oneLine(description) })),
      total: found.length,
      ...(next < found.length ? { nextCursor: String(next) } : {}),
    },
    files: [],
  };
}

function matches({ name, title, description }: McpTool, words: readonly string[]): boolean {
  const text = `${name} ${title} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= LINE ? line : `${line.slice(0, LINE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function enabled(
  server: McpServer,
  list: McpToolList,
  { arguments: { tools }, offered }: ToolInvocation,
  confirm: Parameters<typeof enableTools>[3]['confirm'],
): ToolOutcome {
  const names = Array.isArray(tools) ? tools.map(String) : [];
  const result = enableTools(server, list, names, { offered, confirm });
  const refused = result.refused.map(({ tool, problems }) => ({ tool, why: sentenceOf(problems) }));
  if (result.enabled.length === 0)
    return failed(
      'invalid_arguments',
      `No tool was enabled. ${refused.map(({ tool, why }) => `${tool}: ${why}`).join('; ')}.`,
    );
  return {
    kind: 'succeeded',
    value: {
      enabled: result.enabled,
      ...(refused.length === 0 ? {} : { refused }),
      note: 'You can call them from your next turn on, by `name`.',
    },
    files: [],
    enables: result.definitions,
  };
}
