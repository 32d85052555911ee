/**
 * The platform's own work for one turn of the model: a run whose only turn calls no tool, model with no latency.
 *
 * `whole` goes from the claim of the run, the first that a worker does, to the commit of its turn and end; `turn` from
 * the compiled request to that commit. From both the model's own time is taken away: the median of the bare exchange,
 * the very same request sent to the same server by a client that does nothing else. What is left holds the commits of
 * the turn. These cost at least one write to the disk each, which stands apart: measured on this disk without
 * Postgres, and as the smallest transaction with it. The commits are counted in other turns than those that are timed,
 * because the proxy that counts takes time of its own.
 */

import { measureCommit, measureSync } from './support/disk-sync.mjs';
import { driveRuns, settled } from './support/drive-runs.mjs';

const WARM_UP = 20;
const TURNS = Number(process.env.PLINTH_BENCH_TURNS ?? 100);
const COUNTED_TURNS = 11;
const SYNCS = 200;

export default async function measure(services) {
  const sync = measureSync(SYNCS);
  const commit = await measureCommit(services.adminUrl, SYNCS);
  const counted = await onPlatform(services, { counted: true }, (bench) => takeTurns(bench, COUNTED_TURNS));
  const { turns, exchange } = await onPlatform(services, { counted: false }, async (bench) => ({
    turns: await takeTurns(bench, TURNS),
    exchange: await bareExchanges(bench.sim),
  }));
  return rowsOf({ counted, turns, exchange, sync, commit });
}

async function onPlatform(services, { counted }, work) {
  const bench = await driveRuns(services, { scenario: 'plain', counted });
  try {
    return await work(bench);
  } finally {
    await bench.close();
  }
}

async function takeTurns(bench, count) {
  const marks = watchTurns(bench);
  const turns = [];
  for (let i = -WARM_UP; i < count; i += 1) {
    const run = await bench.start('hello');
    await bench.finished.next(run.runId);
    // What is noted later must not be counted with the next turn.
    await settled();
    if (i >= 0) turns.push(marks.last());
  }
  return turns;
}

/** Notes the times of one run after the other, and how many commits there were between. */
function watchTurns({ platform: { ledger, writer }, postgres }) {
  let now = {};
  const claim = ledger.claimRun.bind(ledger);
  ledger.claimRun = (...args) => {
    postgres.take();
    now = { claimedAt: performance.now() };
    return claim(...args);
  };
  const delta = writer.delta.bind(writer);
  writer.delta = (tenant, stream, fence, payload) => {
    if (payload.startsWith('{"type":"turn.started"')) {
      now.claimCommits = postgres.take().writingCommits;
      now.turnAt = performance.now();
    }
    return delta(tenant, stream, fence, payload);
  };
  const transact = ledger.transact.bind(ledger);
  ledger.transact = async (tenant, runId, decide) => {
    const outcome = await transact(tenant, runId, decide);
    if (now.turnAt !== undefined) {
      now.endedAt = performance.now();
      now.turnCommits = postgres.take().writingCommits;
    }
    return outcome;
  };
  return {
    last: () => ({
      wholeMs: now.endedAt - now.claimedAt,
      turnMs: now.endedAt - now.turnAt,
      wholeCommits: now.claimCommits + now.turnCommits,
      turnCommits: now.turnCommits,
    }),
  };
}

/** Milliseconds of the last request, as it was, sent and read to the end by a client that does nothing with it. */
async function bareExchanges(sim) {
  const body = await sim.lastBody();
  const samples = [];
  for (let i = -WARM_UP; i < TURNS; i += 1) {
    const began = performance.now();
    const response = await fetch(`${sim.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
      body,
    });
    await response.text();
    if (i >= 0) samples.push(performance.now() - began);
  }
  return samples;
}

const median = (samples) => [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)];

function rowsOf({ counted, turns, exchange, sync, commit }) {
  const modelMs = median(exchange);
  const ms = (name, samples) => ({ name, unit: 'ms', samples });
  const rowsFor = (name, time, commits) => {
    // That earlier events are out is noted at some moment, perhaps in this turn: the fewest are its own.
    const count = Math.min(...counted.map((turn) => turn[commits]));
    const syncMs = count * median(sync);
    const work = turns.map((turn) => turn[time] - modelMs);
    return [
      ms(
        `engine work, ${name}`,
        work.map((all) => all - syncMs),
      ),
      ms(`engine work, ${name}, with its writes to the disk`, work),
      { name: `commits, ${name}`, unit: 'commits', value: count },
    ];
  };
  return [
    ...rowsFor('turn', 'turnMs', 'turnCommits'),
    ...rowsFor('whole', 'wholeMs', 'wholeCommits'),
    ms("model's own time: bare exchange", exchange),
    ms('one write to the disk (8 kB, fdatasync)', sync),
    ms('one smallest commit', commit),
  ];
}
