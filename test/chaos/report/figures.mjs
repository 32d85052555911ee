/** What a chaos run was made of: without it a row of zeros says nothing. */

const tally = (list) => {
  const counts = {};
  for (const item of list) counts[item] = (counts[item] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));
};

const sum = (list) => list.reduce((total, value) => total + value, 0);

export function figuresOf({ runs, requests, effects, callbacks }) {
  const readers = runs.map(({ record }) => record.reader).filter(Boolean);
  const entries = readers.flatMap((reader) => reader.entries);
  const durations = runs
    .map(({ record }) => record.endedAt - record.startedAt)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const at = (share) => durations[Math.min(durations.length - 1, Math.floor(durations.length * share))];
  const given = runs.flatMap(({ record }) => record.given);
  return {
    runs: runs.length,
    kinds: tally(runs.map(({ record }) => record.kind)),
    endings: tally(runs.map(({ row }) => row?.reason ?? row?.status ?? 'not started')),
    runMs: { p50: at(0.5), p95: at(0.95), max: durations.at(-1) },
    claims: sum(runs.map(({ row }) => row?.fence ?? 0)),
    epochsRaised: sum(runs.map(({ row }) => (row ? row.event_epoch - 1 : 0))),
    turnsAsked: requests.length,
    turnsAnswered: sum(runs.map(({ turns }) => turns.length)),
    calls: tally(runs.flatMap(({ calls }) => calls.map(({ status }) => status))),
    interrupts: tally(
      runs.flatMap(({ interrupts }) => interrupts.map(({ kind, state }) => `${kind} ${state}`)),
    ),
    dispatches: effects.length,
    callbacks: tally(callbacks.map(({ outcome }) => outcome?.status ?? 'none')),
    answers: tally(
      given.map(({ outcome }) => (outcome ? `${outcome.status} ${outcome.code ?? ''}`.trim() : 'none')),
    ),
    eventsSeen: entries.length,
    connections: sum(readers.map(({ connections }) => connections.length)),
    connectionEnds: tally(readers.flatMap(({ connections }) => connections.map(({ how }) => how))),
    gapsAnnounced: entries.filter(({ type }) => type === 'gap').length,
    resets: entries.filter(({ type }) => type === 'message.reset').length,
    holes: sum(readers.map(({ holes }) => holes)),
  };
}
