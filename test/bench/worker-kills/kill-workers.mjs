/** Kills one worker after the other, each at a random moment of its work, and starts it again. */
import { setTimeout as pause } from 'node:timers/promises';
import { heldBy, writesOf } from './claims.mjs';

/**
 * A life is measured by what the worker writes, so that it is as full on a slow machine as on a fast one. A run is
 * written some ten times: a worker ends after a part of its first runs, or after a few of them.
 */
const MOST_WRITES = 40;
/** About as long as two writes are apart: the kill may fall anywhere between them. */
const LONGEST_PAUSE_MS = 50;
/** A worker that has not got so far within this time is killed all the same. */
const LONGEST_LIFE_MS = 20_000;
const SAY_EVERY = 20;

/**
 * Goes round the workers. The next one is killed while those before it start again, but never the last one that is up.
 * Returns for each kill the holds that were lost by it.
 */
export async function killInTurn(workers, database, kills) {
  const lost = [];
  const starting = new Map();
  for (let nth = 0; nth < kills; nth += 1) {
    const worker = workers[nth % workers.length];
    await starting.get(worker);
    while (starting.size >= workers.length - 1) await Promise.race(starting.values());
    lost.push(await killOne(worker, database));
    const start = worker.start().then(() => starting.delete(worker));
    // Whatever rejects is reported by the wait for it.
    start.catch(() => {});
    starting.set(worker, start);
    if (lost.length % SAY_EVERY === 0) console.log(`    ${lost.length} of ${kills} kills`);
  }
  await Promise.all(starting.values());
  return lost;
}

async function killOne(worker, database) {
  const { pid } = worker;
  const writes = (await writesOf(database, pid)) + Math.random() * MOST_WRITES;
  const deadline = performance.now() + LONGEST_LIFE_MS;
  const isReady = async () =>
    (await writesOf(database, pid)) >= writes && (await heldBy(database, pid)).length > 0;
  while (!(await isReady()) && performance.now() < deadline) await pause(5);
  await pause(Math.random() * LONGEST_PAUSE_MS);
  await worker.stop('SIGKILL');
  return (await heldBy(database, pid)).map((hold) => ({ ...hold, pid }));
}
