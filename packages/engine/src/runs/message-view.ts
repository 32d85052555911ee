import {
  executionLocationOf,
  type MessagePart,
  type MessageView,
  type ToolCallView,
  type ToolDefinition,
} from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import { toArtifactView } from '../artifacts/artifact-view.js';
import { toInterruptView } from '../interrupts/open-interrupt.js';
import { effectiveArguments, originalArguments, parseObject } from '../tools/call-arguments.js';
import { isSettled } from '../tools/call-step.js';
import { toolOfCall } from '../tools/offered-tools.js';
import type { RunRecord, ToolCall, Turn } from './run.js';

function turnParts(turn: Turn, calls: readonly ToolCall[]): MessagePart[] {
  const text = parseObject(turn.assistantRaw)?.content;
  return [
    ...(turn.reasoning
      ? [{ type: 'reasoning' as const, turn: turn.index, text: turn.reasoning, done: true }]
      : []),
    ...(typeof text === 'string' && text !== ''
      ? [{ type: 'text' as const, turn: turn.index, text, done: true }]
      : []),
    ...calls.map((call) => ({ type: 'tool' as const, turn: turn.index, callId: call.id as string })),
  ];
}

function toCallView(call: ToolCall, tool: ToolDefinition | undefined): ToolCallView {
  return {
    callId: call.id,
    tool: call.tool,
    title: tool?.title ?? call.tool,
    location: tool ? executionLocationOf(tool.executor) : 'server',
    turn: call.turnIndex,
    // Whether a call has begun is the engine's business; to a client it is open or it has ended.
    status: isSettled(call) ? call.status : 'started',
    arguments: effectiveArguments(call),
    ...originalArguments(call),
    progress: null,
    summary: call.summary,
    error: call.error,
    artifactIds: call.artifactIds,
    visibility: call.visibility,
  };
}

/**
 * The state of an assistant message from the ledger. It equals what a client has after folding all events of the
 * message, but for what only the log has: progress of open calls, and text of a turn that still streams.
 */
export function messageViewOf(record: RunRecord, agent: AgentVersion): MessageView {
  const { run, turns, interrupts, artifacts } = record;
  const calls = [...record.calls].sort((a, b) => a.turnIndex - b.turnIndex || a.position - b.position);
  const callOf = new Map(calls.map((call) => [call.id, call]));
  return {
    messageId: run.messageId,
    runId: run.id,
    status: run.status,
    reason: run.reason,
    parts: turns.flatMap((turn) =>
      turnParts(
        turn,
        calls.filter((call) => call.turnIndex === turn.index),
      ),
    ),
    calls: calls.map((call) => toCallView(call, toolOfCall(agent, calls, call))),
    interrupts: interrupts.flatMap((interrupt) => {
      const call = callOf.get(interrupt.callId);
      if (!call) return [];
      const title = toolOfCall(agent, calls, call)?.title ?? call.tool;
      return [toInterruptView(interrupt, call, title)];
    }),
    artifacts: artifacts.map(toArtifactView),
    usage: run.usage,
    error: run.error,
  };
}
