import type { ToolDefinition } from '@plinth/protocol';
import type { Interrupt, ToolCall } from '../runs/run.js';
import { argumentProblem } from './call-arguments.js';

/**
 * What has to happen next to one tool call, from its rows alone. A call may wait for days between two
 * steps and go on in another process, so its place in the pipeline is data, never a stack.
 *
 *   validate -> (confirm) -> show a component | start a remote job | execute -> settled
 */
export type CallStep =
  | { do: 'nothing' }
  | { do: 'wait' }
  | { do: 'apply'; interrupt: Interrupt }
  | { do: 'reject'; code: 'unknown_tool' | 'invalid_arguments'; message: string }
  | { do: 'confirm'; tool: ToolDefinition }
  | { do: 'show'; tool: ToolDefinition }
  | { do: 'dispatch'; tool: ToolDefinition; interrupt: Interrupt | null }
  | { do: 'execute'; tool: ToolDefinition }
  | { do: 'give_up'; interrupt: Interrupt | null };

export function isSettled(call: ToolCall): boolean {
  return call.status !== 'pending' && call.status !== 'started';
}

/** An answer (or an expiry) that no transaction has turned into a result yet. */
export function isUnconsumed(interrupt: Interrupt): boolean {
  return interrupt.answeredAt !== null && interrupt.consumedAt === null;
}

function firstStep(call: ToolCall, tool: ToolDefinition): CallStep {
  const problem = argumentProblem(call, tool);
  if (problem !== null) return { do: 'reject', code: 'invalid_arguments', message: problem };
  if (tool.requireConfirmation === 'always' && call.approvedAt === null) return { do: 'confirm', tool };
  switch (tool.executor.kind) {
    case 'component':
      return { do: 'show', tool };
    case 'remote':
      return { do: 'dispatch', tool, interrupt: null };
    case 'builtin':
      return { do: 'execute', tool };
  }
}

/** The call was started under an older fence: that worker died with the outcome unknown. */
function recoveryStep(tool: ToolDefinition, open: Interrupt | undefined): CallStep {
  if (!tool.idempotent) return { do: 'give_up', interrupt: open ?? null };
  return tool.executor.kind === 'remote'
    ? { do: 'dispatch', tool, interrupt: open ?? null }
    : { do: 'execute', tool };
}

/**
 * @param tool the definition that the run is pinned to; undefined when the model made the name up
 * @param interrupts those of this call
 * @param fence the fence of the run's present holder
 */
export function callStep(
  call: ToolCall,
  tool: ToolDefinition | undefined,
  interrupts: readonly Interrupt[],
  fence: number,
): CallStep {
  if (isSettled(call)) return { do: 'nothing' };
  const answered = interrupts.find(isUnconsumed);
  if (answered) return { do: 'apply', interrupt: answered };
  if (!tool)
    return {
      do: 'reject',
      code: 'unknown_tool',
      message: `There is no tool named "${call.tool}". Use one that is offered.`,
    };

  const open = interrupts.find((interrupt) => interrupt.state === 'open');
  if (call.status === 'pending') return open ? { do: 'wait' } : firstStep(call, tool);

  const jobMayBeLost =
    tool.executor.kind === 'remote' && call.acceptedAt === null && call.startedFence !== fence;
  if (open && !jobMayBeLost) return { do: 'wait' };
  return call.startedFence === fence ? { do: 'wait' } : recoveryStep(tool, open);
}
