/**
 * Runs that have something to lose: each charges (a job that must not start twice) and notifies (a job that may), asks
 * a person, and closes. What is remembered of them is what the outside saw: the streams, and the dispatches of jobs.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const job = (key, jobs, idempotent) => ({
  key,
  title: key,
  description: `Starts the job ${key}.`,
  parameters: object({ subject: { type: 'string' } }),
  executor: { kind: 'remote', url: `${jobs}/${key}` },
  idempotent,
});

export const paymentTools = (jobs) => [
  job('charge', jobs, false),
  job('notify', jobs, true),
  {
    key: 'ask',
    title: 'Ask',
    description: 'Asks the person.',
    parameters: object({ question: { type: 'string' } }),
    executor: { kind: 'component', component: 'Ask', submit: object({ answer: { type: 'string' } }) },
  },
];

/** What the model says, one step a turn; long enough for a kill to fall into the middle of an answer. */
export const paymentSteps = [
  {
    text: 'I will charge you and tell you about it.',
    toolCalls: ['charge', 'notify'].map((name) => ({ name, arguments: { subject: 'one poster' } })),
  },
  {
    text: 'That is under way. One question is left.',
    toolCalls: [{ name: 'ask', arguments: { question: 'All right?' } }],
  },
  { text: 'Thank you, that is all that I wanted to know from you today.' },
];

/**
 * A job service that takes its time and calls back soon after. Half of the jobs are given up when the caller hangs up
 * before it was answered; the other half go on, and call back for a worker that is dead. Both happen outside.
 */
export function jobsWithDelays(plinth) {
  return async (dispatch) => {
    dispatch.at = new Date();
    await pause(Math.random() * 100);
    const isGivenUp = dispatch.hasAborted && Math.random() < 0.5;
    const callBack = async () => {
      await pause(Math.random() * 100);
      await plinth.jobs.finish(dispatch);
    };
    // A callback to a call that has ended is refused, and rightly so.
    if (!isGivenUp) callBack().catch(() => {});
    return { status: 202 };
  };
}

/** Makes a call again, as a client does that got no answer, until it gets one or patience ends. */
async function insist(call, patience) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (patience.aborted) throw error;
      await pause(200);
    }
  }
}

/** Plays one run to its end as a page does: over its stream, coming back when that breaks. */
export async function playRun(session, patience) {
  const began = performance.now();
  const key = randomUUID();
  const { runId, messageId } = await insist(() => session.start('charge me', { key }), patience);
  const played = {
    runId,
    messageId,
    ended: null,
    asked: new Set(),
    unknown: 0,
    badStreams: 0,
    tookMs: 0,
    entries: [],
  };
  const answers = [];
  let after;
  const onEntry = (entry) => {
    played.entries.push({ at: new Date(), seq: entry.seq, type: entry.type });
    if (!isNext(after, entry)) played.badStreams += 1;
    after = entry.seq;
    if (entry.type === 'tool.failed' && entry.status === 'unknown') played.unknown += 1;
    if (entry.type === 'run.finished') played.ended = entry.status;
    if (entry.type === 'interrupt.opened' && entry.interrupt.tool === 'ask') {
      played.asked.add(entry.interrupt.id);
      const { id } = entry.interrupt;
      const given = { type: 'submit', value: { answer: 'yes' } };
      answers.push(insist(() => session.answer(id, given, `bench-${id}`), patience));
    }
  };
  while (played.ended === null && !patience.aborted) {
    await session.stream(messageId, { after, signal: patience, onEntry }).catch(() => pause(100));
  }
  await Promise.allSettled(answers);
  return { ...played, tookMs: performance.now() - began };
}

/** Whether an entry is the one behind the last: nothing left out, nothing twice. A new epoch begins a new count. */
function isNext(after, { seq, type }) {
  if (type === 'gap' || type === 'snapshot') return false;
  const [epoch, n] = seq.split('-').map(Number);
  const [lastEpoch, last] = after === undefined ? [epoch, 0] : after.split('-').map(Number);
  return epoch === lastEpoch && n === last + 1;
}
