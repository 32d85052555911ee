import type {
  InterruptId,
  InterruptLeaseView,
  InterruptView,
  JsonObject,
  ToolDefinition,
} from '@plinth/protocol';
import { toIso } from '../clock.js';
import type { Decision } from '../runs/ledger-change.js';
import type { Interrupt, InterruptLease, InterruptPayload, ToolCall } from '../runs/run.js';
import { argumentsDigestOf } from '../tools/approvals.js';
import { asksUser, askUserForm } from '../tools/ask-user.js';
import { effectiveArguments } from '../tools/call-arguments.js';

export function toLeaseView({ clientId, since }: InterruptLease): InterruptLeaseView {
  return { clientId, since: toIso(since) };
}

function payloadView({ payload, lease }: Interrupt) {
  switch (payload.kind) {
    case 'confirmation': {
      // A payload of an older release lacks what a client of today may rely on.
      const { argumentsDigest = argumentsDigestOf(payload.arguments), remember = 'never' } = payload;
      return { ...payload, argumentsDigest, remember };
    }
    case 'frontend':
      // A renewed lease moves the time, and is no event: readers would be told what is no longer so.
      return { ...payload, lease: lease && toLeaseView(lease), expiresAt: null };
    default:
      return payload;
  }
}

/** An interrupt as clients see it. */
export function toInterruptView(interrupt: Interrupt, call: ToolCall, title: string): InterruptView {
  return {
    id: interrupt.id,
    callId: interrupt.callId,
    tool: call.tool,
    title,
    state: interrupt.state,
    openedAt: toIso(interrupt.openedAt),
    expiresAt: interrupt.expiresAt === null ? null : toIso(interrupt.expiresAt),
    answeredBy: interrupt.state === 'answered' ? interrupt.answeredBy : null,
    answeredAt:
      interrupt.state === 'answered' && interrupt.answeredAt !== null ? toIso(interrupt.answeredAt) : null,
    closedWhy: interrupt.closedWhy,
    ...payloadView(interrupt),
  };
}

export interface OpenInterrupt {
  id: InterruptId;
  call: ToolCall;
  tool: ToolDefinition;
  now: number;
  callbackTokenHash?: string;
}

function payloadOf(kind: Interrupt['kind'], call: ToolCall, tool: ToolDefinition): InterruptPayload {
  const callArguments: JsonObject = effectiveArguments(call) ?? {};
  if (kind === 'confirmation') {
    const argumentsDigest = argumentsDigestOf(callArguments);
    const remember = tool.remember ?? 'never';
    return { kind, arguments: callArguments, schema: tool.parameters, argumentsDigest, remember };
  }
  if (kind === 'question') return { kind, arguments: callArguments, schema: tool.parameters };
  if (kind === 'callback') return { kind };
  if (kind === 'frontend') {
    if (tool.executor.kind !== kind) throw new Error(`tool ${tool.key} is not a page's`);
    return { kind, handler: tool.executor.handler, arguments: callArguments };
  }
  if (asksUser(tool.executor)) return { kind, ...askUserForm(callArguments) };
  if (tool.executor.kind !== 'component') throw new Error(`tool ${tool.key} shows no component`);
  return {
    kind,
    component: tool.executor.component,
    props: { ...tool.executor.props, ...callArguments },
    schema: tool.executor.submit,
  };
}

/** A page has its own time to turn up; how long it may then take is the lease's business. */
function waitSecondsOf(kind: Interrupt['kind'], { executor, waitTimeoutSeconds }: ToolDefinition): number {
  return kind === 'frontend' && executor.kind === kind
    ? Math.min(executor.claimTimeoutSeconds, waitTimeoutSeconds)
    : waitTimeoutSeconds;
}

/** Opens a typed wait of a call: the row, and the event that shows it. */
export function openInterrupt(
  kind: Interrupt['kind'],
  { id, call, tool, now, callbackTokenHash }: OpenInterrupt,
): Decision {
  const interrupt: Interrupt = {
    id,
    callId: call.id,
    kind,
    payload: payloadOf(kind, call, tool),
    state: 'open',
    openedAt: now,
    expiresAt: now + waitSecondsOf(kind, tool) * 1000,
    callbackTokenHash: callbackTokenHash ?? null,
    answer: null,
    answeredBy: null,
    answeredAt: null,
    answerRequestId: null,
    consumedAt: null,
    closedWhy: null,
    lease: null,
  };
  return {
    changes: [{ type: 'interrupt.open', interrupt }],
    events: [{ type: 'interrupt.opened', interrupt: toInterruptView(interrupt, call, tool.title) }],
  };
}
