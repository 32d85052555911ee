/** One run from the person's message to its end, with all that was seen and done on the way. */
import { setTimeout as pause } from 'node:timers/promises';
import { requestText } from '../world/model.mjs';
import { deadline } from './deadline.mjs';
import { AnswerGiver } from './give-answers.mjs';
import { Person } from './person.mjs';
import { Reader } from './reader.mjs';

/** A run that has not ended by then is given up by its client; whether it is lost is for the ledger to say. */
const DEADLINE_MS = 240_000;

/** Returns the record of the run, and of the runs that followed it in its thread. */
export async function playRun(world, plan, threadId) {
  const { signal, release } = deadline(DEADLINE_MS, world.signal);
  try {
    return await playUntil(world, plan, threadId, signal);
  } finally {
    release();
  }
}

async function playUntil(world, plan, threadId, signal) {
  const { now, count } = world;
  const person = new Person(await world.session(plan.person), { now, signal });
  const record = { ...plan, startedAt: now(), threadId, given: [], problems: [] };
  await pause(plan.pauseMs);
  const started = await startIt(person, record);
  if (!started) return [record];
  Object.assign(record, started);

  const cuts = plan.random.fork('cuts');
  const cutAfter = () => {
    if (!cuts.chance(0.35)) return 0;
    count('stream cut by its reader');
    return cuts.between(1, 12);
  };
  const reader = new Reader({ client: person.client, run: started, now, cutAfter });
  const answers = new AnswerGiver({ person, plan, count });
  Object.assign(record, { reader, given: answers.given });
  const following = reader.follow(signal);
  reader.watch((view) => answers.look(view));
  const interference = interfere(world, { plan, person, record, reader, answers, signal });
  await following;
  record.endedAt = now();
  const followers = await interference;
  await answers.done();
  return [record, ...followers];
}

async function startIt(person, record) {
  const { number, kind, threadId } = record;
  for (;;) {
    const started = await person.start(requestText(number, kind), { threadId, key: `chaos-${number}` });
    if (started?.status === 201 || started?.status === 200) return started.body;
    // The run that is in the way works just now: a person waits for a moment.
    if (started?.body.code !== 'thread_busy') {
      record.problems.push(`could not be started: ${JSON.stringify(started)}`);
      return null;
    }
    record.wasBusy = (record.wasBusy ?? 0) + 1;
    await pause(250);
  }
}

/** What somebody does to the run while it goes on. Returns the records of the runs that this led to. */
async function interfere(world, { plan, person, record, reader, answers, signal }) {
  if (plan.kind === 'cancel') {
    await pause(plan.cancelAfterMs);
    world.count('run cancelled');
    const cancelled = await person.cancel(record.runId);
    record.cancelledAt = world.now();
    if (cancelled?.status !== 200)
      record.problems.push(`could not be cancelled: ${JSON.stringify(cancelled)}`);
    while (!reader.hasEnded && !signal.aborted) await pause(50);
    return playRun(world, plan.next, record.threadId);
  }
  if (plan.kind !== 'superseded') return [];
  const form = await firstForm(reader, signal);
  if (!form) return [];
  await pause(plan.supersedeAfterMs);
  world.count('run superseded');
  if (plan.alsoAnswers) {
    world.count('form answered as its run is superseded');
    answers.send(form, `${form.id} wanted`, { type: 'submit', value: { value: 'at the same moment' } });
  }
  const followers = await playRun(world, plan.next, record.threadId);
  await answers.send(form, `${form.id} late`, { type: 'submit', value: { value: 'too late' } });
  return followers;
}

async function firstForm(reader, signal) {
  while (!reader.hasEnded && !signal.aborted) {
    const form = reader.view.interrupts.find(({ kind, state }) => kind === 'component' && state === 'open');
    if (form) return form;
    await pause(30);
  }
  return null;
}
