import type { JobCancellation, ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type {
  ComfyUiExecutorSpec,
  InterruptId,
  JsonObject,
  TenantId,
  ToolDefinition,
} from '@plinth/protocol';
import { failedCall, type RemoteJob } from '../jobs/remote-job.js';
import type { RemoteJobs } from '../jobs/remote-jobs.js';
import { type ComfyUiHost, HostProblem } from './comfyui-host.js';
import { fillWorkflow } from './fill-workflow.js';
import { type HostPool, rankHosts } from './host-pool.js';
import type { InputFile, InputFileReader } from './input-files.js';
import { promptNames, seedOf } from './job-names.js';
import { readPromptRefusal } from './read-refusal.js';

/** Milliseconds for all that a cancel asks of a host. Nobody waits for it, but it must not stay for ever. */
const CANCEL_MS = 10_000;

/**
 * Queues the workflow of a `comfyui` tool at the least busy host that answers, and returns at once: a watcher follows
 * the job and answers the call's interrupt.
 *
 * The row of the job is written before the workflow is sent, and the prompt's id is made from the call's: a call that
 * has to be carried out again after a crash looks for its prompt first, and never queues it a second time unasked.
 */
export class ComfyUiExecutor implements ToolExecutor {
  constructor(
    private readonly jobs: RemoteJobs,
    private readonly hosts: HostPool,
    private readonly inputs: InputFileReader,
  ) {}

  async execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const { tool, callId, callback } = invocation;
    const spec = specOf(tool);
    if (callback === null) throw new Error(`tool ${tool.key} was invoked without an interrupt`);
    const known = await this.jobs.find(tenant, callId);
    if (known && (await this.#isThere(tenant, known, tool, signal))) return { kind: 'accepted' };
    const files = await this.inputs.read(tenant, invocation.runId, spec, invocation.arguments);
    if (!files.ok) return failedCall('invalid_arguments', files.problem);
    const { hosts, unknown } = await this.hosts.resolve(tenant, spec.hosts);
    const { ranked, problems } = await rankHosts(hosts, signal);
    for (const host of ranked) {
      const outcome = await this.#queueAt(
        host,
        tenant,
        invocation,
        callback.interruptId,
        files.files,
        signal,
      );
      if (outcome) return outcome;
    }
    await this.jobs.remove(tenant, callId);
    const why = [...problems, ...unknown.map((name) => `"${name}" is not configured`)];
    const because = why.length > 0 ? `: ${why.join('; ')}` : '';
    return failedCall(
      'unavailable',
      `None of the ${hosts.length} ComfyUI hosts of this tool takes jobs now${because}.`,
    );
  }

  async cancel(tenant: TenantId, { callId }: JobCancellation): Promise<void> {
    const job = await this.jobs.find(tenant, callId);
    if (!job) return;
    const signal = AbortSignal.timeout(CANCEL_MS);
    const host = await this.hosts.at(tenant, job.host);
    await host.stop(job.jobId, promptNames(tenant, callId).clientId, signal);
    // One that may still be under way to its host is left to the watcher, which looks again.
    if (job.state === 'waiting') await this.jobs.remove(tenant, callId);
  }

  /** An earlier attempt at this call: true when its job is at a host, or may be. */
  async #isThere(
    tenant: TenantId,
    job: RemoteJob,
    tool: ToolDefinition,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (job.state === 'waiting') return true;
    const { clientId } = promptNames(tenant, job.callId);
    try {
      const host = await this.hosts.at(tenant, job.host);
      const found = await host.find(job.jobId, clientId, signal);
      if (found.kind !== 'missing') {
        await this.jobs.confirm(tenant, job.callId, found.promptId);
        return true;
      }
    } catch (error) {
      if (!(error instanceof HostProblem)) throw error;
    }
    // It may have run and been forgotten. Only a tool that may run twice is sent again; else the watcher decides.
    if (tool.idempotent) return false;
    await this.jobs.note(tenant, job, 0);
    return true;
  }

  /** Null: this host certainly does not have the job, and another may be asked. */
  async #queueAt(
    host: ComfyUiHost,
    tenant: TenantId,
    { tool, callId, runId, arguments: values }: ToolInvocation,
    interruptId: InterruptId,
    files: readonly InputFile[],
    signal: AbortSignal,
  ): Promise<ToolOutcome | null> {
    const spec = specOf(tool);
    const uploaded = await upload(host, files, signal);
    if (!uploaded) return null;
    const { prompt } = fillWorkflow(spec, values, uploaded, seedOf(tenant, callId));
    const names = promptNames(tenant, callId);
    const job = {
      callId,
      runId,
      interruptId,
      kind: 'comfyui',
      host: host.url,
      jobId: names.promptId,
      state: 'sending',
    } as const;
    // Nobody else looks while it is being sent; when this process dies, somebody does afterwards.
    await this.jobs.note(tenant, job, tool.timeoutMs);
    const sent = await host.send(prompt as unknown as JsonObject, names, signal, tool.timeoutMs);
    switch (sent.kind) {
      case 'queued':
        await this.jobs.confirm(tenant, callId, sent.promptId);
        return { kind: 'accepted' };
      case 'refused':
        await this.jobs.remove(tenant, callId);
        return { kind: 'failed', error: readPromptRefusal(spec, sent.refusal) };
      case 'not_sent':
        return null;
      case 'unclear':
        await this.jobs.note(tenant, job, 0);
        return { kind: 'accepted' };
    }
  }
}

function specOf({ key, executor }: ToolDefinition): ComfyUiExecutorSpec {
  if (executor.kind !== 'comfyui') throw new Error(`tool ${key} is not a ComfyUI workflow`);
  return executor;
}

/** The names of the files at the host, by parameter; null when it did not take them. */
async function upload(
  host: ComfyUiHost,
  files: readonly InputFile[],
  signal: AbortSignal,
): Promise<Map<string, string> | null> {
  try {
    const names = new Map<string, string>();
    for (const { parameter, name, bytes, mimeType } of files)
      names.set(parameter, await host.upload(name, bytes, mimeType, signal));
    return names;
  } catch (error) {
    if (error instanceof HostProblem) return null;
    throw error;
  }
}
