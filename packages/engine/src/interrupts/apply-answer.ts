import type { ArtifactId, ToolDefinition } from '@plinth/protocol';
import { artifactOf } from '../artifacts/artifact-view.js';
import { type Decision, joinDecisions } from '../runs/ledger-change.js';
import type { Interrupt, Run, ToolCall } from '../runs/run.js';
import { consume, declineCall, failCall, submitCall, succeedCall } from '../tools/settle-call.js';
import { toolStarted } from '../tools/tool-started.js';

export interface AnswerFacts {
  run: Run;
  call: ToolCall;
  tool: ToolDefinition | undefined;
  interrupt: Interrupt;
  now: number;
  nextArtifactId: () => ArtifactId;
}

function approve({ call, tool, interrupt, now }: AnswerFacts): Decision {
  const edited = interrupt.answer?.type === 'approve' ? interrupt.answer.arguments : undefined;
  const argumentsEdited = edited === undefined ? null : JSON.stringify(edited);
  return {
    changes: [{ type: 'call.update', callId: call.id, set: { approvedAt: now, argumentsEdited } }],
    events: edited === undefined ? [] : [toolStarted({ ...call, argumentsEdited }, tool)],
  };
}

/**
 * Turns what closed an interrupt into what it means for its call. One function for every kind: a person's
 * submission, an approval, a job's callback and the passing of time differ in their answer only.
 */
export function applyAnswer(facts: AnswerFacts): Decision {
  return joinDecisions([consume(facts.interrupt, facts.now), outcomeOf(facts)]);
}

function outcomeOf(facts: AnswerFacts): Decision {
  const { run, call, tool, interrupt, now, nextArtifactId } = facts;
  const answer = interrupt.answer;
  switch (answer?.type) {
    case 'approve':
      return approve(facts);
    case 'decline':
      return declineCall(call, answer.reason ?? null, now);
    case 'submit':
      return submitCall(call, answer.value, now);
    case 'expired':
      return failCall(call, 'expired', { code: 'wait_expired', message: 'Nobody answered in time.' }, now);
    case 'callback': {
      if (!answer.outcome.ok) return failCall(call, 'failed', answer.outcome.error, now);
      const open = tool?.result.open ?? 'auto';
      const artifacts = answer.outcome.files.map((file) =>
        artifactOf(file, { id: nextArtifactId(), run, call, open, now }),
      );
      return succeedCall(call, answer.outcome.result, artifacts, now);
    }
    case undefined:
      throw new Error(`interrupt ${interrupt.id} was answered without an answer`);
  }
}
