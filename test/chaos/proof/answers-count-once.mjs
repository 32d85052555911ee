/** Rules about answers: the first one wins, is kept, and is what the call's result says. */
import { isDeepStrictEqual } from 'node:util';
import { grouped } from './calls-and-forms.mjs';

const finding = ({ record }, what) => ({ run: record.number, what });
const said = ({ requestId, outcome }) => `${requestId} got ${outcome.status} ${outcome.code ?? ''}`;

/** What people sent, and what came back. */
export function answersOfPeople({ runs }) {
  return runs.flatMap((run) =>
    run.interrupts
      .filter(({ kind }) => kind !== 'callback')
      .flatMap((interrupt) => {
        const notes = run.record.given.filter(
          ({ interruptId, outcome }) => interruptId === interrupt.id && outcome !== null,
        );
        return problemsOf(interrupt, notes).map((what) => finding(run, `interrupt ${interrupt.id}: ${what}`));
      }),
  );
}

function problemsOf(interrupt, notes) {
  const accepted = notes.filter(({ outcome }) => outcome.status === 200);
  const problems = notes.filter(({ outcome }) => !isExpected(outcome)).map((note) => said(note));
  if (new Set(accepted.map(({ requestId }) => requestId)).size > 1)
    problems.push(`two winners: ${accepted.map(said)}`);
  if (new Set(accepted.map(({ outcome }) => outcome.body.answeredAt)).size > 1) {
    problems.push('the same request got two different responses');
  }
  for (const note of accepted) {
    const isKept = interrupt.state === 'answered' && interrupt.answer_request_id === note.requestId;
    if (!isKept)
      problems.push(`${said(note)}, and the ledger holds ${interrupt.state} ${interrupt.answer_request_id}`);
    else if (!isDeepStrictEqual(JSON.parse(interrupt.answer), note.answer))
      problems.push('another answer was stored');
  }
  return problems;
}

function isExpected({ status, code, body }) {
  if (status === 409 && code === 'interrupt_already_answered')
    return Boolean(body.facts?.by && body.facts?.answeredAt);
  return (
    status === 200 ||
    (status === 409 && code === 'interrupt_closed') ||
    (status === 422 && code === 'answer_invalid')
  );
}

/** What the jobs posted: one result is taken, the same one may be repeated. */
export function answersOfJobs({ runs, callbacks }) {
  const byCall = grouped(
    callbacks.filter(({ outcome }) => outcome !== null),
    ({ callId }) => callId,
  );
  return runs.flatMap((run) =>
    run.interrupts
      .filter(({ kind }) => kind === 'callback')
      .flatMap((interrupt) => {
        const notes = byCall.get(interrupt.call_id) ?? [];
        const refused = notes.filter(({ outcome: { status } }) => status !== 200 && status !== 409);
        const accepted = new Set(
          notes.filter(({ outcome }) => outcome.status === 200).map(({ body }) => JSON.stringify(body)),
        );
        const problems = refused.map(({ outcome }) => `a callback got ${outcome.status} ${outcome.code}`);
        if (accepted.size > 1) problems.push('two different callbacks were accepted');
        if (accepted.size > 0 && interrupt.state !== 'answered')
          problems.push(`a callback was accepted, and the wait is ${interrupt.state}`);
        return problems.map((what) => finding(run, `callback ${interrupt.id}: ${what}`));
      }),
  );
}

/** Whether the call's result is what the stored answer says. A cancel may come between the two. */
export function resultsOfOthers({ runs }) {
  return runs.flatMap((run) =>
    run.interrupts
      .filter(({ state }) => state === 'answered')
      .flatMap((interrupt) => {
        const call = run.calls.find(({ id }) => id === interrupt.call_id);
        const answer = JSON.parse(interrupt.answer);
        const isCut = run.row.status === 'cancelled' && ['cancelled', 'superseded'].includes(call.status);
        if (interrupt.consumed_at === null)
          return [finding(run, `interrupt ${interrupt.id} was answered and nothing came of it`)];
        return isCut || agrees(answer, call)
          ? []
          : [finding(run, `call ${call.id} is ${call.status} ${call.result_text} after ${interrupt.answer}`)];
      }),
  );
}

function agrees(answer, call) {
  switch (answer.type) {
    case 'submit':
      return call.status === 'succeeded' && call.result_text === JSON.stringify(answer.value);
    case 'decline':
      return call.status === 'declined' && call.result_text.includes(answer.reason);
    case 'approve':
      return call.approved_at !== null;
    case 'callback':
      return answer.outcome.ok
        ? call.status === 'succeeded' &&
            isDeepStrictEqual(JSON.parse(call.result_text).result, answer.outcome.result)
        : call.status === 'failed' && call.result_text.includes(answer.outcome.error.message);
    default:
      return false;
  }
}

/** An ended run leaves nothing open behind it. */
export const openWaits = ({ runs }) =>
  runs.flatMap((run) =>
    ['completed', 'failed', 'cancelled'].includes(run.row?.status)
      ? run.interrupts
          .filter(({ state }) => state === 'open')
          .map(({ id }) => finding(run, `interrupt ${id} is still open`))
      : [],
  );
