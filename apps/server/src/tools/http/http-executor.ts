import type { ArtifactStore, Clock, ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { FieldError, HttpExecutorSpec, TenantId, ToolDefinition } from '@plinth/protocol';
import type {
  OutboundClient,
  OutboundRequest,
  OutboundResult,
} from '../../platform/outbound/outbound-client.js';
import { failureOf, OutboundError } from '../../platform/outbound/outbound-failure.js';
import type { TenantSecrets } from '../../secrets/tenant-secrets.js';
import { type Effect, failed, outcomeOfFailure, outcomeOfStatus } from './failure-outcomes.js';
import { secretsOf } from './http-templates.js';
import { readResult } from './read-result.js';
import { redactor } from './redact.js';
import { type RenderedRequest, renderRequest } from './render-request.js';
import { isSuccess, planOf } from './response-plan.js';

const MAX_REDIRECTS = 5;
/** The engine ends the call at its timeout; a little earlier the failure can still be told by its name. */
const timeoutOf = ({ timeoutMs }: ToolDefinition) => Math.max(50, timeoutMs - Math.min(250, timeoutMs / 10));

export interface HttpExecutorPorts {
  outbound: Pick<OutboundClient, 'send'>;
  secrets: Pick<TenantSecrets, 'reveal'>;
  artifacts: ArtifactStore;
  clock: Clock;
}

/**
 * Carries out `http` tools: one request, whose every failure is an outcome that says what to do. It is not tried
 * again here. What the service says goes to the model without the values of the tenant's secrets.
 */
export class HttpExecutor implements ToolExecutor {
  constructor(private readonly ports: HttpExecutorPorts) {}

  async execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const { tool, arguments: args } = invocation;
    const spec = tool.executor;
    if (spec.kind !== 'http') throw new Error(`tool ${tool.key} is not an http tool`);
    const secrets = await this.ports.secrets.reveal(tenant, secretsOf(spec));
    const lacking = [...secrets.missing, ...secrets.unreadable];
    if (lacking.length > 0) return notConfigured(lacking);
    const rendering = renderRequest(spec, { args, secrets: secrets.values });
    if (!rendering.ok) return invalidArguments(rendering.fields);

    const effect: Effect = { isRepeatable: spec.method === 'GET' || tool.idempotent };
    const { result, answered } = await this.#send(tenant, invocation, spec, rendering.request, signal);
    if (!result.ok) return outcomeOfFailure(result.failure, answered, effect);
    const redact = redactor(secrets.values);
    if (!isSuccess(result.response.status))
      return outcomeOfStatus(result.response, effect, this.ports.clock.now(), redact);
    try {
      const context = { artifacts: this.ports.artifacts, tenant, toolKey: tool.key, redact };
      return await readResult(result.response, spec.response, context);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return outcomeOfFailure(failureOf(error, true), answered, effect);
    }
  }

  async #send(
    tenant: TenantId,
    { tool, idempotencyKey }: ToolInvocation,
    spec: HttpExecutorSpec,
    rendered: RenderedRequest,
    signal: AbortSignal,
  ): Promise<{ result: OutboundResult; answered: number | null }> {
    let answered: number | null = null;
    const request: OutboundRequest = {
      url: rendered.url,
      method: rendered.method,
      headers: {
        accept: spec.response.as === 'json' ? 'application/json' : '*/*',
        ...(spec.method === 'GET' ? {} : { 'idempotency-key': idempotencyKey }),
        ...rendered.headers,
      },
      ...(rendered.body === null ? {} : { body: rendered.body }),
      timeoutMs: timeoutOf(tool),
      maxRedirects: MAX_REDIRECTS,
      plan: (head) => {
        answered = head.status;
        return planOf(spec.response, head);
      },
    };
    return { result: await this.ports.outbound.send(tenant, request, signal), answered };
  }
}

function invalidArguments(fields: readonly FieldError[]): ToolOutcome {
  const named = fields.map(({ path, message }) => `${path} ${message}`).join('; ');
  return failed('invalid_arguments', `${named}. Correct it and call again.`);
}

function notConfigured(names: readonly string[]): ToolOutcome {
  const which = names.length === 1 ? `the secret ${names[0]}` : `the secrets ${names.join(', ')}`;
  return failed(
    'not_configured',
    `This tool needs ${which}, which cannot be read. Do not retry; tell the user that the set-up of this tool has to be completed.`,
  );
}
