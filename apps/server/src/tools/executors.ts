import type { JobCancellation, ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { ExecutorKind, TenantId, ToolExecutorSpec } from '@plinth/protocol';

/** Those that the server carries out. `ask_user` is answered by a person. */
type BuiltinName = Exclude<Extract<ToolExecutorSpec, { kind: 'builtin' }>['name'], 'ask_user'>;

type ExecutedKind = Exclude<ExecutorKind, 'component' | 'frontend' | 'builtin'>;

/** Hands an invocation to the executor of its kind. */
export class Executors implements ToolExecutor {
  constructor(
    private readonly byKind: Record<ExecutedKind, ToolExecutor>,
    private readonly builtins: Record<BuiltinName, ToolExecutor>,
  ) {}

  async cancel(tenant: TenantId, cancellation: JobCancellation): Promise<void> {
    await this.#of(cancellation.tool.executor)?.cancel?.(tenant, cancellation);
  }

  supports(spec: ToolExecutorSpec): boolean {
    return this.#of(spec) !== undefined;
  }

  async execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const { key, executor: spec } = invocation.tool;
    const executor = this.#of(spec);
    // A call of the page's is answered through an interrupt; that it comes here is a mistake of the engine.
    if (executor === undefined)
      throw new Error(`tool ${key} is a ${spec.kind}: the server has nothing that executes it`);
    return executor.execute(tenant, invocation, signal);
  }

  #of(spec: ToolExecutorSpec): ToolExecutor | undefined {
    if (spec.kind === 'component' || spec.kind === 'frontend') return undefined;
    // A run may be pinned to a definition of an older or newer server.
    if (spec.kind === 'builtin') {
      const builtins: Partial<Record<string, ToolExecutor>> = this.builtins;
      return Object.hasOwn(builtins, spec.name) ? builtins[spec.name] : undefined;
    }
    return Object.hasOwn(this.byKind, spec.kind) ? this.byKind[spec.kind] : undefined;
  }
}
