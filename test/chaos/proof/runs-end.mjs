/** Rules about the ends of runs. Each returns what breaks it: the number of the run, and what is wrong. */
import { hasEnded } from './gather-evidence.mjs';

const finding = ({ record }, what) => ({ run: record.number, what });

/** Every run that was accepted ended, and its reader was told so once. */
export function lostRuns({ runs }) {
  return runs.flatMap((run) => {
    const { record, row } = run;
    if (row === null) return [finding(run, `was not started: ${record.problems.join('; ')}`)];
    if (!hasEnded(row)) return [finding(run, `is still ${row.status}`)];
    return record.reader.hasEnded
      ? []
      : [finding(run, `ended as ${row.status}, and its reader was never told`)];
  });
}

/** One `run.finished`, or a snapshot that says that it has ended. */
export function notOneEnd({ runs }) {
  return runs.flatMap((run) =>
    [run.record.reader, run.late].filter(Boolean).flatMap((reader) => {
      const finished = reader.entries.filter(({ type }) => type === 'run.finished').length;
      const told = reader.entries.filter(
        ({ type, message }) =>
          type === 'snapshot' && ['completed', 'failed', 'cancelled'].includes(message.status),
      ).length;
      if (!reader.hasEnded || (finished <= 1 && finished + told >= 1)) return [];
      return [finding(run, `a reader saw ${finished} times run.finished and ${told} snapshots of the end`)];
    }),
  );
}

const MAY_END_AS = { cancel: ['cancelled', 'final_answer'], superseded: ['superseded', 'final_answer'] };

/** Stores that are away for a moment must not end a run: only what somebody did to it may. */
export function givenUp({ runs }) {
  return runs.flatMap((run) => {
    if (!hasEnded(run.row)) return [];
    const allowed = MAY_END_AS[run.record.kind] ?? ['final_answer'];
    return allowed.includes(run.row.reason)
      ? []
      : [finding(run, `ended with ${run.row.reason}: ${run.row.error}`)];
  });
}

/** A request that is repeated with the same key starts one run. */
export function startedTwice({ runs, rows }) {
  const known = new Set(runs.map(({ record }) => record.runId));
  return rows
    .filter(({ id }) => !known.has(id))
    .map(({ id, idempotency_key }) => ({
      run: Number(idempotency_key?.split('-')[1] ?? -1),
      what: `run ${id} was started, and nobody was told of it`,
    }));
}

/** Clients that were refused something which nobody forbade. */
export const otherProblems = ({ runs }) =>
  runs.flatMap((run) => (run.row === null ? [] : run.record.problems.map((what) => finding(run, what))));
