/**
 * Answers what a run asks of a person: each open form or confirmation once, after a while, sometimes twice with the
 * same request id, sometimes with a different answer beside it, as two tabs do. All is noted for the proof.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { answerPlanOf } from './plans.mjs';

const subjectOfInterrupt = ({ kind, props, arguments: values }) =>
  (kind === 'component' ? props : values)?.subject;

/** What the person wants, and what somebody else wants at the same moment. */
function answersOf(kind, interrupt, subject) {
  if (interrupt.kind === 'component') {
    return {
      wanted: { type: 'submit', value: { value: `${subject} first` } },
      rival: { type: 'submit', value: { value: `${subject} second` } },
    };
  }
  const edited = { type: 'approve', arguments: { subject, amount: 2 } };
  const declined = { type: 'decline', reason: `${subject} no` };
  if (kind === 'decline') return { wanted: declined, rival: { type: 'approve' } };
  return {
    wanted: kind === 'edit' ? edited : { type: 'approve' },
    rival: kind === 'edit' ? declined : edited,
  };
}

export class AnswerGiver {
  /** Every request: which interrupt, which request id, what was answered, and what came of it. */
  given = [];
  #seen = new Set();
  #pending = new Set();

  constructor({ person, plan, count }) {
    Object.assign(this, { person, plan, count });
  }

  /** Deals with what is open and new in this state. */
  look(view) {
    for (const interrupt of view.interrupts) {
      if (interrupt.state !== 'open' || interrupt.kind === 'callback' || this.#seen.has(interrupt.id))
        continue;
      this.#seen.add(interrupt.id);
      if (this.plan.kind === 'superseded' && interrupt.kind === 'component') continue;
      this.#keep(this.#deal(interrupt));
    }
  }

  /** One answer, given now; also used for the form that a new message competes with. */
  send(interrupt, requestId, answer) {
    const note = {
      interruptId: interrupt.id,
      callId: interrupt.callId,
      requestId,
      answer,
      attempts: [],
      outcome: null,
    };
    this.given.push(note);
    return this.#keep(
      this.person.answer(interrupt.id, requestId, answer, note.attempts).then((outcome) => {
        note.outcome = outcome && { status: outcome.status, code: outcome.body?.code, body: outcome.body };
        return outcome;
      }),
    );
  }

  async done() {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async #deal(interrupt) {
    const subject = subjectOfInterrupt(interrupt);
    const { delayMs, repeats, competes, startsWrong } = answerPlanOf(this.plan.random, subject);
    const { wanted, rival } = answersOf(this.plan.kind, interrupt, subject);
    await pause(delayMs);
    if (delayMs > 0) this.count('answer delayed');
    if (startsWrong) {
      this.count('answer not valid');
      await this.send(interrupt, `${interrupt.id} wrong`, { type: 'submit', value: { wrong: true } });
    }
    const requests = [this.send(interrupt, `${interrupt.id} wanted`, wanted)];
    if (repeats) {
      this.count('answer repeated');
      requests.push(this.send(interrupt, `${interrupt.id} wanted`, wanted));
    }
    if (competes) {
      this.count('answer competing');
      requests.push(this.send(interrupt, `${interrupt.id} rival`, rival));
    }
    await Promise.all(requests);
    if (!repeats) return;
    await pause(200);
    await this.send(interrupt, `${interrupt.id} wanted`, wanted);
  }

  #keep(work) {
    this.#pending.add(work);
    const forget = () => this.#pending.delete(work);
    work.then(forget, forget);
    return work;
  }
}
