/** The kinds of run: which tools the model calls in which turn. A subject names one call of one run for good. */

/** Which run a subject belongs to, and where in it. */
export const subjectOf = (number, turn, position) => `r${number}.t${turn}.c${position}`;

export const runOfSubject = (subject) => Number(/^r(\d+)\./.exec(subject)?.[1] ?? -1);

const TURNS = {
  text: [],
  component: [['form']],
  approve: [['charge']],
  edit: [['charge']],
  decline: [['charge']],
  remote: [['book']],
  idempotent: [['lookup']],
  early: [['book']],
  parallel: [['form', 'lookup', 'current_time', 'charge', 'book']],
  several: [['form'], ['charge'], ['form'], ['lookup']],
  cancel: [['form', 'book'], ['lookup'], ['form']],
  superseded: [['form', 'book']],
};

export const KINDS = Object.keys(TURNS);

function argumentsOf(tool, subject) {
  if (tool === 'current_time') return { timeZone: 'UTC' };
  return tool === 'form' ? { subject } : { subject, amount: 1 };
}

/** The calls that the model makes in each turn of this run; after them it closes with words. */
export function turnsOf(number, kind) {
  return (TURNS[kind] ?? []).map((tools, turn) =>
    tools.map((name, position) => ({
      name,
      arguments: argumentsOf(name, subjectOf(number, turn, position)),
    })),
  );
}
