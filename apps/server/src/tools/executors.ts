import type { JobCancellation, ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { TenantId, ToolExecutorSpec } from '@plinth/protocol';

type BuiltinName = Extract<ToolExecutorSpec, { kind: 'builtin' }>['name'];

/** Hands an invocation to the executor of its kind. */
export class Executors implements ToolExecutor {
  constructor(
    private readonly remote: ToolExecutor,
    private readonly builtins: Record<BuiltinName, ToolExecutor>,
  ) {}

  async cancel(tenant: TenantId, cancellation: JobCancellation): Promise<void> {
    if (cancellation.tool.executor.kind === 'remote') await this.remote.cancel?.(tenant, cancellation);
  }

  supports(spec: ToolExecutorSpec): boolean {
    switch (spec.kind) {
      case 'remote':
        return true;
      case 'builtin':
        return Object.hasOwn(this.builtins, spec.name);
      default:
        return false;
    }
  }

  async execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const spec = invocation.tool.executor;
    switch (spec.kind) {
      case 'remote':
        return this.remote.execute(tenant, invocation, signal);
      case 'builtin':
        return this.builtins[spec.name].execute(tenant, invocation, signal);
      case 'component':
        // A component's call is answered through an interrupt; that it comes here is a mistake of the engine.
        throw new Error(`tool ${invocation.tool.key} is a component: the host page runs it, not the server`);
    }
  }
}
