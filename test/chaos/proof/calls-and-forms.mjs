/** Rules about tool calls, forms and side effects. */
import { isDeepStrictEqual } from 'node:util';
import { runOfSubject } from '../runs/kinds.mjs';
import { GATED, IDEMPOTENT } from '../world/tools.mjs';
import { hasEnded } from './gather-evidence.mjs';

const finding = ({ record }, what) => ({ run: record.number, what });

export function grouped(list, keyOf) {
  const groups = new Map();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** A side effect whose tool is not idempotent, by what it was about: the same wish twice is twice, whatever the call. */
export function dispatchedTwice({ effects }) {
  const once = effects.filter(({ tool }) => !IDEMPOTENT.has(tool));
  return [...grouped(once, ({ subject }) => subject)]
    .filter(([, all]) => all.length > 1)
    .map(([subject, all]) => ({
      run: runOfSubject(subject),
      what: `${subject} was dispatched ${all.length} times`,
    }));
}

export function repeatedWithAnotherKey({ effects }) {
  const repeatable = effects.filter(({ tool }) => IDEMPOTENT.has(tool));
  return [...grouped(repeatable, ({ subject }) => subject)]
    .map(([subject, all]) => [subject, new Set(all.map(({ idempotencyKey }) => idempotencyKey))])
    .filter(([, keys]) => keys.size > 1)
    .map(([subject, keys]) => ({
      run: runOfSubject(subject),
      what: `${subject} came with the keys ${[...keys]}`,
    }));
}

/** What needs an approval happens after it, with the arguments that were approved; what was declined never does. */
export function withoutApproval({ runs, effects }) {
  return runs.flatMap((run) =>
    run.calls
      .filter(({ tool }) => GATED.has(tool))
      .flatMap((call) => {
        const gate = run.interrupts.find(
          ({ call_id, kind }) => call_id === call.id && kind === 'confirmation',
        );
        const answer = gate?.state === 'answered' ? JSON.parse(gate.answer) : null;
        const wanted = answer?.arguments ?? JSON.parse(call.arguments_raw);
        return effects
          .filter(({ callId }) => callId === call.id)
          .flatMap((effect) => {
            if (answer?.type !== 'approve')
              return [finding(run, `${effect.subject} happened without an approval`)];
            return isDeepStrictEqual(effect.arguments, wanted)
              ? []
              : [finding(run, `${effect.subject} happened with other arguments`)];
          });
      }),
  );
}

/** One interrupt row per gate of a call, and one call per form that the model was to show. */
export function askedTwice({ runs }) {
  return runs.flatMap((run) => [
    ...[...grouped(run.interrupts, ({ call_id, kind }) => `${kind} of ${call_id}`)]
      .filter(([, all]) => all.length > 1)
      .map(([what, all]) => finding(run, `${all.length} interrupts for the ${what}`)),
    ...[...grouped(run.calls, ({ tool, arguments_raw }) => `${tool} ${arguments_raw}`)]
      .filter(([, all]) => all.length > 1)
      .map(([what, all]) => finding(run, `the model asked ${all.length} times for ${what}`)),
  ]);
}

const RESULTS = new Set(['tool.result', 'tool.failed', 'tool.declined']);

/** Each call of an ended run has its one result: in the ledger, and in a log that is whole. */
export function notOneResult({ runs }) {
  return runs
    .filter(({ row }) => hasEnded(row))
    .flatMap((run) => {
      const open = run.calls
        .filter(({ status, result_text }) => ['pending', 'started'].includes(status) || result_text === null)
        .map(({ id, status }) => finding(run, `call ${id} is ${status} and has no result`));
      const isWhole = run.late?.hasEnded && run.late.entries.every(({ type }) => type !== 'gap');
      if (!isWhole) return open;
      const told = grouped(
        run.late.entries.filter(({ type }) => RESULTS.has(type)),
        ({ callId }) => callId,
      );
      const wrong = run.calls
        .filter(({ id }) => told.get(id)?.length !== 1)
        .map(({ id }) => finding(run, `the log tells ${told.get(id)?.length ?? 0} results of call ${id}`));
      return [...open, ...wrong];
    });
}

/** The files of a job are kept once, and only those of the callback that won. */
export function filesTwice({ runs }) {
  return runs.flatMap((run) =>
    [...grouped(run.artifacts, ({ call_id }) => call_id)]
      .filter(([, all]) => all.length > 1)
      .map(([callId, all]) => finding(run, `call ${callId} has ${all.length} files of one`)),
  );
}
