import type { JsonObject, JsonValue, RunError, TenantId, ToolDefinition } from '@plinth/protocol';
import type { StoredFile } from '../runs/run.js';

export interface ToolInvocation {
  callId: string;
  runId: string;
  tool: ToolDefinition;
  arguments: JsonObject;
  /** The same for every attempt at this call, so that the other side can recognise a repeat. */
  idempotencyKey: string;
  /** For `remote` tools: where the job answers, once. */
  callback: { url: string; progressUrl: string } | null;
}

export type ToolOutcome =
  | { kind: 'succeeded'; value: JsonValue; files: StoredFile[] }
  /** The job is under way elsewhere; its callback brings the result. */
  | { kind: 'accepted' }
  | { kind: 'failed'; error: RunError };

/** Runs tools of one executor kind. Errors are outcomes; only an abort or a bug is thrown. */
export interface ToolExecutor {
  execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome>;
}
