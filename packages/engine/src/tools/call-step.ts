import type { ToolDefinition } from '@plinth/protocol';
import type { CallPatch } from '../runs/ledger-change.js';
import type { Interrupt, ToolCall } from '../runs/run.js';
import { asksUser } from './ask-user.js';
import { runStages } from './stages/run-stages.js';
import type { StageContext } from './stages/stage.js';
import type { ToolFailureKind } from './tool-failures.js';

/**
 * What has to happen next to one tool call, from its rows alone. A call may wait for days between two
 * steps and go on in another process, so its place in the pipeline is data, never a stack.
 *
 *   stages: validation -> permission -> confirmation
 *     -> show a component | delegate to a page | start a remote job | execute -> settled
 *
 * One that was started by a worker which died may have taken effect or not. If it is idempotent it runs again;
 * else the model is told that nobody knows, or a person is asked first.
 */
export type CallStep =
  | { do: 'nothing' }
  | { do: 'wait' }
  | { do: 'apply'; interrupt: Interrupt }
  | ({ do: 'reject'; code: ToolFailureKind; message: string } & Noted)
  | ({ do: 'confirm'; tool: ToolDefinition } & Noted)
  | ({ do: 'show'; tool: ToolDefinition } & Noted)
  | ({ do: 'delegate'; tool: ToolDefinition } & Noted)
  | ({ do: 'dispatch'; tool: ToolDefinition; interrupt: Interrupt | null } & Noted)
  | ({ do: 'execute'; tool: ToolDefinition } & Noted)
  | { do: 'give_up'; interrupt: Interrupt | null }
  | { do: 'ask'; tool: ToolDefinition };

type Facts = Omit<StageContext, 'tool'>;

/** What the stages want written on the receipt, together with the step. */
interface Noted {
  note?: CallPatch;
}

const OPEN: Facts = { permission: { effect: 'allow', revision: 0, rule: null }, rememberedAt: null };

export function isSettled(call: ToolCall): boolean {
  return call.status !== 'pending' && call.status !== 'started';
}

/** An answer (or an expiry) that no transaction has turned into a result yet. */
export function isUnconsumed(interrupt: Interrupt): boolean {
  return interrupt.answeredAt !== null && interrupt.consumedAt === null;
}

/** @param slot where a job may answer already: that of an earlier dispatch which a person says did not happen */
function firstStep(call: ToolCall, tool: ToolDefinition, slot: Interrupt | null, facts: Facts): CallStep {
  const outcome = runStages(call, { tool, ...facts });
  const { note } = outcome;
  switch (outcome.do) {
    case 'answer':
      return { do: 'reject', code: outcome.code, message: outcome.message, note };
    case 'wait':
      return { do: 'confirm', tool, note };
    case 'continue':
      return { ...carryingOut(tool, slot), note };
  }
}

function carryingOut(
  tool: ToolDefinition,
  slot: Interrupt | null,
): CallStep & { do: 'show' | 'delegate' | 'dispatch' | 'execute' } {
  switch (tool.executor.kind) {
    case 'component':
      return { do: 'show', tool };
    case 'remote':
    case 'comfyui':
      return { do: 'dispatch', tool, interrupt: slot };
    case 'frontend':
      return { do: 'delegate', tool };
    case 'builtin':
      return { do: asksUser(tool.executor) ? 'show' : 'execute', tool };
    case 'http':
    case 'mcp':
    case 'mcp_directory':
      return { do: 'execute', tool };
  }
}

function unavailable({ key }: ToolDefinition): CallStep {
  const message = `The tool "${key}" was changed or taken away while this call waited, and cannot be carried out any more. Do not call it again; tell the user.`;
  return { do: 'reject', code: 'tool_unavailable', message };
}

/** A job elsewhere, which answers through an interrupt. */
const isJob = ({ executor: { kind } }: ToolDefinition): boolean => kind === 'remote' || kind === 'comfyui';

/** The call was started under an older fence: that worker died with the outcome unknown. */
function recoveryStep(tool: ToolDefinition, open: Interrupt | undefined, canRun: boolean): CallStep {
  // Its executor looks for the job before it sends it again, so nobody needs to guess.
  const canLook = tool.executor.kind === 'comfyui';
  // A job's slot stays open while the question waits: its callback is the better answer.
  if (!tool.idempotent && !canLook)
    return tool.onUnknown === 'ask' ? { do: 'ask', tool } : { do: 'give_up', interrupt: open ?? null };
  if (!canRun) return { do: 'give_up', interrupt: open ?? null };
  return isJob(tool) ? { do: 'dispatch', tool, interrupt: open ?? null } : { do: 'execute', tool };
}

/**
 * @param tool the definition that the run is pinned to; undefined when the model made the name up
 * @param interrupts those of this call
 * @param fence the fence of the run's present holder
 * @param canRun whether this server still has what carries out the pinned definition
 * @param facts what the stages may know besides the rows, as it is now
 */
export function callStep(
  call: ToolCall,
  tool: ToolDefinition | undefined,
  interrupts: readonly Interrupt[],
  fence: number,
  canRun = true,
  facts: Facts = OPEN,
): CallStep {
  if (isSettled(call)) return { do: 'nothing' };
  // What a callback brings is known; what a person says of a job is believed.
  const answered =
    interrupts.find((interrupt) => interrupt.kind === 'callback' && isUnconsumed(interrupt)) ??
    interrupts.find(isUnconsumed);
  if (answered) return { do: 'apply', interrupt: answered };
  if (!tool)
    return {
      do: 'reject',
      code: 'unknown_tool',
      message: `There is no tool named "${call.tool}". Use one that is offered.`,
    };

  const waits = interrupts.filter((interrupt) => interrupt.state === 'open');
  if (waits.some(({ kind }) => kind === 'question')) return { do: 'wait' };
  const [open] = waits;
  if (call.status === 'pending') {
    // Also when a person is being asked for approval: there is nothing left to approve.
    if (!canRun) return unavailable(tool);
    const slot = open?.kind === 'callback' ? open : null;
    return open && !slot ? { do: 'wait' } : firstStep(call, tool, slot, facts);
  }

  // A page had begun it and has gone; its recovery says that the person is asked. See `expire-frontend`.
  if (tool.executor.kind === 'frontend') return open ? { do: 'wait' } : { do: 'ask', tool };

  const jobMayBeLost = isJob(tool) && call.acceptedAt === null && call.startedFence !== fence;
  if (open && !jobMayBeLost) return { do: 'wait' };
  return call.startedFence === fence ? { do: 'wait' } : recoveryStep(tool, open, canRun);
}
