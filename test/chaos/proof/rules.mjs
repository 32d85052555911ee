/** Everything that must hold after a chaos run, in the order in which it is printed. */
import { answersOfJobs, answersOfPeople, openWaits, resultsOfOthers } from './answers-count-once.mjs';
import {
  askedTwice,
  dispatchedTwice,
  filesTwice,
  grouped,
  notOneResult,
  repeatedWithAnotherKey,
  withoutApproval,
} from './calls-and-forms.mjs';
import { givenUp, lostRuns, notOneEnd, otherProblems, startedTwice } from './runs-end.mjs';
import { gapsAndRepeats, otherStates } from './streams-are-whole.mjs';

const ofRun = (requests) => requests.filter(({ run }) => run !== null);

/** The model's own rules: a call without a result, a result without a call. */
const refusedByModel = ({ requests }) =>
  requests
    .filter(({ status }) => status === 400)
    .map(({ run, turn }) => ({
      run: run?.number ?? -1,
      what: `the model refused the request of turn ${turn}`,
    }));

/** A turn that is asked again, by whichever worker and from wherever its state came, is asked in the same bytes. */
const askedDifferently = ({ requests }) =>
  [...grouped(ofRun(requests), ({ run, turn }) => `${run.number} ${turn}`)].flatMap(([key, all]) => {
    const [number, turn] = key.split(' ');
    const bodies = new Set(all.map(({ digest }) => digest)).size;
    return bodies === 1
      ? []
      : [{ run: Number(number), what: `turn ${turn} was asked in ${bodies} different ways` }];
  });

export const RULES = [
  { name: 'runs lost', check: lostRuns },
  { name: 'runs started twice', check: startedTwice },
  { name: 'runs given up by the platform', check: givenUp },
  { name: 'ends told not exactly once', check: notOneEnd },
  { name: 'non-idempotent tools dispatched twice', check: dispatchedTwice },
  { name: 'idempotent tools repeated with another key', check: repeatedWithAnotherKey },
  { name: 'gated tools run without their approval', check: withoutApproval },
  { name: 'forms asked twice', check: askedTwice },
  { name: 'calls without exactly one result', check: notOneResult },
  { name: 'answers of people lost or taken twice', check: answersOfPeople },
  { name: 'callbacks lost or taken twice', check: answersOfJobs },
  { name: 'results other than the answer', check: resultsOfOthers },
  { name: 'waits open after the end', check: openWaits },
  { name: 'files of a job kept twice', check: filesTwice },
  { name: 'streams with a silent gap or a repeat', check: gapsAndRepeats },
  { name: 'readers that end in another state', check: otherStates },
  { name: 'requests refused by the model', check: refusedByModel },
  { name: 'turns asked again in other bytes', check: askedDifferently },
  {
    name: 'events never published',
    check: ({ outbox }) => outbox.map(({ stream_id }) => ({ run: -1, what: `an event of ${stream_id}` })),
  },
  {
    name: 'processes that died by themselves',
    check: ({ deaths }) => deaths.map(({ name, how, t }) => ({ run: -1, what: `${name} at ${t}: ${how}` })),
  },
  { name: 'other refusals', check: otherProblems },
];

/** Returns every rule with what breaks it. */
export const prove = (evidence) => RULES.map(({ name, check }) => ({ name, findings: check(evidence) }));
