/** What is to happen to each run, drawn from the seed before anything starts. */
import { bagOf } from '../seeded-random.mjs';
import { KINDS } from './kinds.mjs';

/** Runs that begin after another one in its thread get numbers from here. */
const FOLLOW_UP = 100_000;
const PEOPLE = ['ada', 'ben', 'cem'];

/**
 * `cancelAfterMs`: when the person stops it. `next`: a run that the person starts in the same thread, over the
 * open form (superseded) or after the end (cancelled: its thread must have stayed usable).
 */
export function plansOf(count, random) {
  const drawKind = bagOf(KINDS, random.fork('kinds'));
  return Array.from({ length: count }, (_, number) =>
    planOf(number, drawKind(), random.fork(`run ${number}`)),
  );
}

function planOf(number, kind, random) {
  const plan = { number, kind, person: random.pick(PEOPLE), random, pauseMs: random.between(0, 400) };
  if (kind === 'cancel') {
    return { ...plan, cancelAfterMs: random.between(0, 5_000), next: nextOf(plan, random) };
  }
  if (kind !== 'superseded') return plan;
  return {
    ...plan,
    supersedeAfterMs: random.between(0, 1_500),
    // The form is sent at the same moment: one of the two wins.
    alsoAnswers: random.chance(0.4),
    next: nextOf(plan, random),
  };
}

function nextOf({ number, person }, random) {
  const kind = random.pick(['text', 'component', 'remote']);
  const follower = random.fork('next');
  return { number: number + FOLLOW_UP, kind, person, random: follower, pauseMs: 0 };
}

/** How a person deals with one form or confirmation. */
export function answerPlanOf(random, subject) {
  const drawn = random.fork(`answer ${subject}`);
  return {
    // At once is a case of its own: the answer may overtake the parking.
    delayMs: drawn.chance(0.3) ? 0 : drawn.between(50, 2_500),
    repeats: drawn.chance(0.3),
    competes: drawn.chance(0.3),
    startsWrong: drawn.chance(0.1),
  };
}

/** How the job service deals with one job. */
export function jobPlanOf(random, subject, isEarly) {
  const drawn = random.fork(`job ${subject}`);
  return {
    acceptMs: drawn.chance(0.4) ? 0 : drawn.between(20, 2_500),
    callbackMs: drawn.chance(0.3) ? 0 : drawn.between(20, 2_500),
    isEarly: isEarly || drawn.chance(0.1),
    fails: drawn.chance(0.1),
    bringsFile: drawn.chance(0.2),
    progress: drawn.between(0, 2),
    repeats: drawn.chance(0.3),
    competes: drawn.chance(0.25),
    refusesFirst: drawn.chance(0.15),
  };
}
