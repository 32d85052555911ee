import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgressReport, ToolInvocation, ToolOutcome } from '@plinth/engine';
import { digestOf } from '@plinth/engine';
import {
  type JsonObject,
  mcpServerDefinition,
  type TenantId,
  type ToolDefinition,
  toolDefinition,
} from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { type OddFault, ROOT } from '@plinth/testkit/system';
import { LocalArtifactStore } from '../../src/artifacts/local-artifact-store.js';
import { AllowList } from '../../src/platform/outbound/allow-list.js';
import { OutboundPolicy } from '../../src/platform/outbound/outbound-policy.js';
import { guardedCarrier } from '../../src/tools/mcp/guarded-fetch.js';
import { McpExecutor } from '../../src/tools/mcp/mcp-executor.js';
import { McpPools } from '../../src/tools/mcp/mcp-pools.js';
import type { McpServer } from '../../src/tools/mcp/mcp-servers.js';

export const ACME = 'ten_acme' as TenantId;

/** The process of a misbehaving server. */
export const oddStdio = (name: string, ...faults: OddFault[]): JsonObject => ({
  kind: 'stdio',
  command: process.execPath,
  args: [`${ROOT}packages/testkit/dist/system/odd-mcp/stdio-main.js`, name, ...faults],
});

export interface CallOptions {
  tool?: Partial<ToolDefinition>;
  signal?: AbortSignal;
  onProgress?: (report: ProgressReport) => void;
}

/** Executor and pools as a worker has them, with registrations that a test makes. */
export async function openMcp() {
  const directory = await mkdtemp(join(tmpdir(), 'plinth-mcp-'));
  const clock = new ManualClock();
  const servers = new Map<string, McpServer>();
  const problems: { server: string; errorOutput: string }[] = [];
  const secrets = new Map([['TOKEN', 'the-secret-token']]);
  const none = new AllowList([]);
  const policy = new OutboundPolicy({
    operator: new AllowList(['127.0.0.1']),
    tenant: none,
    tenantMay: none,
  });
  const store = new LocalArtifactStore(directory);
  const pools = new McpPools({
    clock,
    fillIn: async (_tenant, text) =>
      text.replace(/\{\{secrets\.(\w+)\}\}/g, (_all, name: string) => secrets.get(name) ?? ''),
    carrierFor: (tenant) => guardedCarrier({ of: async () => policy }, tenant),
    onProblem: (_tenant, server, _error, errorOutput) => problems.push({ server, errorOutput }),
  });
  const find = async (_tenant: TenantId, key: string) => servers.get(key) ?? null;
  const executor = new McpExecutor({ find }, pools, store);

  return {
    clock,
    pools,
    problems,
    store,
    /** Registers a server, or changes it. */
    register(key: string, transport: JsonObject, more: JsonObject = {}): McpServer {
      const definition = mcpServerDefinition.parse({ description: `Server ${key}.`, transport, ...more });
      const revision = (servers.get(key)?.revision ?? 0) + 1;
      const digest = digestOf(definition);
      const server = {
        key,
        revision,
        origin: 'operator',
        definition,
        digest,
        createdAt: 0,
        updatedAt: 0,
      } as const;
      servers.set(key, server);
      return server;
    },
    forget: (key: string) => servers.delete(key),
    pool: (key: string) => {
      const server = servers.get(key);
      if (!server) throw new Error(`no server ${key}`);
      return pools.of(ACME, server);
    },
    async call(
      server: string,
      tool: string,
      values: JsonObject = {},
      { tool: rest = {}, signal = new AbortController().signal, onProgress = () => {} }: CallOptions = {},
    ): Promise<ToolOutcome> {
      const definition = toolDefinition.parse({
        key: 'a_tool',
        title: 'A tool',
        description: 'Does it.',
        parameters: { type: 'object' },
        executor: { kind: 'mcp', server, tool },
        timeoutMs: 20_000,
        ...rest,
      });
      const invocation: ToolInvocation = {
        callId: 'tc_1',
        runId: 'run_1',
        tool: definition,
        arguments: values,
        idempotencyKey: 'tc_1',
        callback: null,
        offered: [],
        progress: onProgress,
      };
      return executor.execute(ACME, invocation, signal);
    },
    async close() {
      await pools.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export type Mcp = Awaited<ReturnType<typeof openMcp>>;

/** The text that a tool returned. */
export function textOf(outcome: ToolOutcome): string {
  if (outcome.kind !== 'succeeded') throw new Error(`the call did not succeed: ${JSON.stringify(outcome)}`);
  return String(outcome.value);
}

/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
