/** Rules about event streams: no number missing, none twice, and the same state at the end for everybody. */
import { isDeepStrictEqual } from 'node:util';

const START = { epoch: 1, n: 0 };

const parse = (seq) => {
  const found = /^(\d+)-(\d+)$/.exec(seq ?? '');
  return found && { epoch: Number(found[1]), n: Number(found[2]) };
};

const compare = (a, b) => a.epoch - b.epoch || a.n - b.n;

const readersOf = ({ record, late }) =>
  [
    ['reader', record.reader],
    ['late reader', late],
  ].filter(([, reader]) => reader);

/** Walks one reader's connections entry by entry. After `gap` only a `snapshot` may come, and it sets the place. */
function problemsOf({ connections, entries }) {
  const problems = [];
  for (const [index, connection] of connections.entries()) {
    let cursor = parse(connection.after) ?? START;
    let inGap = false;
    for (const { seq, type } of entries.filter((entry) => entry.connection === index)) {
      const place = parse(seq);
      if (place === null) problems.push(`connection ${index}: ${type} has the place "${seq}"`);
      else if (type === 'gap') inGap = true;
      else if (type === 'snapshot') {
        if (!inGap) problems.push(`connection ${index}: a snapshot at ${seq} without a gap before it`);
        [cursor, inGap] = [place, false];
      } else {
        if (inGap) problems.push(`connection ${index}: ${type} at ${seq} between gap and snapshot`);
        if (compare(place, cursor) <= 0)
          problems.push(`connection ${index}: ${type} at ${seq} again, after ${show(cursor)}`);
        else if (place.epoch !== cursor.epoch || place.n !== cursor.n + 1) {
          problems.push(`connection ${index}: ${type} at ${seq} right after ${show(cursor)}`);
        }
        cursor = place;
      }
    }
  }
  return problems;
}

const show = ({ epoch, n }) => `${epoch}-${n}`;

export const gapsAndRepeats = ({ runs }) =>
  runs.flatMap((run) =>
    readersOf(run).flatMap(([name, reader]) =>
      problemsOf(reader).map((what) => ({ run: run.record.number, what: `${name}, ${what}` })),
    ),
  );

/** What every reader ends with is what the API says. */
export const otherStates = ({ runs }) =>
  runs.flatMap((run) => {
    const number = run.record.number;
    if (run.got === null)
      return run.row === null ? [] : [{ run: number, what: 'its message cannot be read' }];
    return readersOf(run).flatMap(([name, reader]) =>
      !reader.hasEnded || isDeepStrictEqual(reader.view, run.got)
        ? []
        : [{ run: number, what: `${name}: ${differences(reader.view, run.got).slice(0, 4).join('; ')}` }],
    );
  });

/** Where two values differ, as paths with both sides. */
export function differences(seen, stored, path = '') {
  if (isDeepStrictEqual(seen, stored)) return [];
  const isTree = (value) => typeof value === 'object' && value !== null;
  if (!isTree(seen) || !isTree(stored)) return [`${path || '/'} ${shown(seen)}, stored ${shown(stored)}`];
  const keys = [...new Set([...Object.keys(seen), ...Object.keys(stored)])];
  return keys.flatMap((key) => differences(seen[key], stored[key], `${path}/${key}`));
}

const shown = (value) => (JSON.stringify(value) ?? 'nothing').slice(0, 80);
