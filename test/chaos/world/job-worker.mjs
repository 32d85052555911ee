/**
 * What the job service does with its jobs: takes them, sometimes after a while, reports progress, and calls back,
 * early or late, more than once, and now and then with two results that contradict each other.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { runOfSubject } from '../runs/kinds.mjs';
import { untilDefinite } from '../runs/person.mjs';
import { jobPlanOf } from '../runs/plans.mjs';

/** An early callback is waited for this long before the dispatch is answered all the same. */
const EARLY_MS = 4_000;

const WATCHED = { isEarly: false, acceptMs: 2_000, callbackMs: 14_000 };

const FILE = {
  name: 'note.txt',
  contentType: 'text/plain',
  base64: Buffer.from('Made by a job.\n').toString('base64'),
};

/** What a job says, and what it says when it contradicts itself. */
function resultsOf(subject, plan) {
  const told = plan.fails
    ? { status: 'failed', error: { code: 'no_stock', message: `${subject} is sold out` } }
    : { status: 'succeeded', result: { done: subject }, files: plan.bringsFile ? [FILE] : [] };
  return { told, rival: { status: 'succeeded', result: { done: `${subject} rival` }, files: [] } };
}

export class JobWorker {
  /** The side effects, in the order in which they happened. */
  effects = [];
  /** Every callback: for which call, what it said, what came of it. */
  callbacks = [];
  #work = new Set();
  #plans = new Map();
  #heralds = [];

  constructor({ jobs, planOf, now, signal, count }) {
    Object.assign(this, { jobs, planOf, now, signal, count });
    jobs.react = (dispatch) => this.#take(dispatch);
  }

  async done() {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  /**
   * Resolves as soon as a job arrives, before its dispatch is answered. That job takes its time: its callback comes
   * when a worker that died of this has been replaced by another one, which must know what to do without it.
   */
  nextDispatch() {
    return new Promise((resolve) => this.#heralds.push(resolve));
  }

  async #take(dispatch) {
    const isWatched = this.#heralds.length > 0;
    for (const tell of this.#heralds.splice(0)) tell();
    const { callId, runId, idempotencyKey, arguments: values, path } = dispatch;
    const { subject } = values;
    const effect = {
      t: this.now(),
      tool: path.slice(1),
      subject,
      callId,
      runId,
      idempotencyKey,
      arguments: values,
    };
    this.effects.push(effect);
    const plan = { ...this.#planFor(subject), ...(isWatched && WATCHED) };
    const nth = this.effects.filter((other) => other.subject === subject).length;
    // Only a tool that may be tried again is refused: for another the outcome would be in doubt.
    if (effect.tool === 'lookup' && plan.refusesFirst && nth === 1) {
      this.count('dispatch refused for now');
      return { status: 503 };
    }
    const calledBack = this.#keep(this.#callBack(dispatch, plan, effect));
    if (plan.isEarly) {
      this.count('callback before the dispatch is answered');
      await Promise.race([calledBack, pause(EARLY_MS)]);
    } else if (plan.acceptMs > 0) {
      this.count('dispatch answered late');
      await pause(plan.acceptMs);
    }
    return { status: 202, body: { accepted: true } };
  }

  #planFor(subject) {
    const known = this.#plans.get(subject);
    if (known) return known;
    const run = this.planOf(runOfSubject(subject));
    const plan = jobPlanOf(run.random, subject, run.kind === 'early');
    this.#plans.set(subject, plan);
    return plan;
  }

  async #callBack(dispatch, plan, effect) {
    if (!plan.isEarly) {
      for (let step = 1; step <= plan.progress; step += 1) {
        await pause(plan.callbackMs / (plan.progress + 1));
        await this.jobs.progress(dispatch, step / (plan.progress + 1), `step ${step}`).catch(() => {});
      }
      await pause(plan.callbackMs / (plan.progress + 1));
    }
    const { told, rival } = resultsOf(effect.subject, plan);
    const posts = [this.#post(dispatch, effect, told)];
    if (plan.competes) {
      this.count('callback competing');
      posts.push(this.#post(dispatch, effect, rival));
    }
    await Promise.all(posts);
    if (!plan.repeats) return;
    this.count('callback repeated');
    await this.#post(dispatch, effect, told);
  }

  async #post(dispatch, { callId, subject }, body) {
    const note = { callId, subject, body, attempts: [], outcome: null };
    this.callbacks.push(note);
    const post = async () => {
      const answered = await this.jobs.finish(dispatch, body);
      return { status: answered.status, body: answered.body };
    };
    const outcome = await untilDefinite(post, {
      signal: this.signal,
      now: this.now,
      attempts: note.attempts,
    });
    note.outcome = outcome && { status: outcome.status, code: outcome.body?.code };
  }

  #keep(work) {
    this.#work.add(work);
    const forget = () => this.#work.delete(work);
    work.then(forget, forget);
    return work;
  }
}
