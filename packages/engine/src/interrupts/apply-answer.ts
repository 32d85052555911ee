import type { ArtifactId, ToolDefinition } from '@plinth/protocol';
import { type Decision, joinDecisions, type LedgerChange, NOTHING } from '../runs/ledger-change.js';
import type { Interrupt, KeptResult, Run, ToolCall } from '../runs/run.js';
import type { Approval } from '../tools/approval.js';
import { approvedDigestOf } from '../tools/approvals.js';
import { isSettled } from '../tools/call-step.js';
import { digestOf } from '../tools/definition-digest.js';
import { notesOf, productsOf, shownOf } from '../tools/result-artifacts.js';
import {
  closeWait,
  confirmCall,
  consume,
  declineCall,
  failCall,
  restartCall,
  submitCall,
  succeedCall,
} from '../tools/settle-call.js';
import { toolStarted } from '../tools/tool-started.js';
import { expireFrontend } from './expire-frontend.js';

export interface AnswerFacts {
  run: Run;
  call: ToolCall;
  tool: ToolDefinition | undefined;
  interrupt: Interrupt;
  /** Other waits of the call that are open or not consumed: a lost job's slot and the question about it stand together. */
  others: readonly Interrupt[];
  now: number;
  /** Key of the agent's tool that reads artifacts; null when it has none. */
  reader: string | null;
  nextArtifactId: () => ArtifactId;
}

function approve({ call, tool, interrupt, now }: AnswerFacts): Decision {
  const { arguments: edited, remember = false } =
    interrupt.answer?.type === 'approve' ? interrupt.answer : {};
  const argumentsEdited = edited === undefined ? null : JSON.stringify(edited);
  const argumentsDigest = approvedDigestOf(interrupt);
  const approval: Approval = { by: 'answer', interruptId: interrupt.id, argumentsDigest };
  const set = { approvedAt: now, argumentsEdited, approval };
  return {
    changes: [
      { type: 'call.update', callId: call.id, set },
      ...(remember ? rememberInThread(interrupt.id, tool, now) : []),
    ],
    events: edited === undefined ? [] : [toolStarted({ ...call, argumentsEdited }, tool)],
  };
}

/** For the run alone, the answer itself is what remembers. */
function rememberInThread(
  interruptId: Interrupt['id'],
  tool: ToolDefinition | undefined,
  now: number,
): LedgerChange[] {
  if (tool?.remember !== 'thread') return [];
  const approval = { interruptId, tool: tool.key, definitionDigest: digestOf(tool), createdAt: now };
  return [{ type: 'approval.remember', approval }];
}

/** What a person knows of a call whose worker died. */
function resolve({ call, interrupt, now }: AnswerFacts): Decision {
  if (interrupt.answer?.type !== 'resolve') throw new Error(`interrupt ${interrupt.id} holds no resolution`);
  const { outcome, note = null } = interrupt.answer;
  switch (outcome) {
    case 'happened':
      return confirmCall(call, note, now);
    case 'did_not_happen':
      return restartCall(call);
    case 'unknown':
      return leaveUnknown(call, 'The person who was asked does not know either.', now, note);
  }
}

function leaveUnknown(call: ToolCall, message: string, now: number, note: string | null = null): Decision {
  return failCall(call, 'unknown', { code: 'outcome_unknown', message }, now, note);
}

function expire(facts: AnswerFacts): Decision {
  const { call, interrupt, others, now } = facts;
  if (interrupt.kind === 'frontend') return expireFrontend(facts);
  if (interrupt.kind === 'question')
    return leaveUnknown(call, 'Nobody said in time whether it took effect.', now);
  // That a lost job did not call back answers nothing: the person is still asked.
  if (others.some(({ kind }) => kind === 'question')) return NOTHING;
  return failCall(call, 'expired', { code: 'wait_expired', message: 'Nobody answered in time.' }, now);
}

/** No wait outlives its call: what is still open closes, and what was answered as well is used up. */
function finishOthers({ call, others, now }: AnswerFacts, outcome: Decision): Decision {
  const hasEnded = outcome.changes.some(
    (change) => change.type === 'call.update' && isSettled({ ...call, ...change.set }),
  );
  if (!hasEnded) return NOTHING;
  return joinDecisions(
    others.map((other) => (other.state === 'open' ? closeWait(other, 'settled') : consume(other, now))),
  );
}

/**
 * Turns what closed an interrupt into what it means for its call. One function for every kind: a person's
 * submission, an approval, a job's callback and the passing of time differ in their answer only.
 */
export function applyAnswer(facts: AnswerFacts): Decision {
  const outcome = outcomeOf(facts);
  return joinDecisions([consume(facts.interrupt, facts.now), outcome, finishOthers(facts, outcome)]);
}

/** An answer that an older release took in: its result is whole. */
const WHOLE: KeptResult = { summary: null, cut: false, full: null };

function outcomeOf(facts: AnswerFacts): Decision {
  const { call, interrupt, reader, now } = facts;
  const answer = interrupt.answer;
  switch (answer?.type) {
    case 'approve':
      return approve(facts);
    case 'decline':
      return declineCall(call, answer.reason ?? null, now);
    case 'submit':
      return submitCall(call, answer.value, now);
    case 'resolve':
      return resolve(facts);
    case 'expired':
      return expire(facts);
    case 'callback': {
      if (!answer.outcome.ok) return failCall(call, 'failed', answer.outcome.error, now);
      const { result, files, kept = WHOLE } = answer.outcome;
      const products = productsOf(files, facts);
      const notes = notesOf(kept, reader, facts, shownOf(products, facts.tool));
      return succeedCall(call, result, products, now, null, notes);
    }
    case undefined:
      throw new Error(`interrupt ${interrupt.id} was answered without an answer`);
  }
}
