/** The chaos run: starts a world, plays many runs in it while it falls apart, and proves what came of them. */
import { describeMachine } from '../../scripts/bench/machine.mjs';
import { injectFaults } from './faults/inject-faults.mjs';
import { gatherEvidence } from './proof/gather-evidence.mjs';
import { prove } from './proof/rules.mjs';
import { figuresOf } from './report/figures.mjs';
import { offendersOf, printOffenders, printReport, writeReport } from './report/write-report.mjs';
import { plansOf } from './runs/plans.mjs';
import { playRun } from './runs/play-run.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { startWorld } from './world/start-world.mjs';

const SAY_EVERY_MS = 15_000;

/** Returns the report. Nothing is thrown for a broken rule: it stands in the report. */
export async function runChaos(options) {
  const random = new SeededRandom(options.seed);
  const plans = plansOf(options.runs, random);
  const known = new Map(
    plans
      .flatMap((plan) => [plan, plan.next])
      .filter(Boolean)
      .map((plan) => [plan.number, plan]),
  );
  console.log(`… chaos with seed ${options.seed}: ${options.runs} runs, ${options.concurrency} at once`);
  const world = await startWorld({ planOf: (number) => known.get(number) });
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void world.close().finally(() => process.exit(1)));
  }
  try {
    console.log(`… two API and two worker processes are up after ${(world.now() / 1000).toFixed(1)} s`);
    const faults = injectFaults(world, { ...options, random: random.fork('faults') });
    const began = world.now();
    const records = await playAll(world, plans, options);
    if (options.once) await faults.all();
    await faults.stop();
    await world.jobs.done();
    console.log(
      `… ${records.length} runs are over after ${((world.now() - began) / 1000).toFixed(1)} s; looking at what is left`,
    );
    return await reportOf(world, { options, records, history: faults.history, began });
  } finally {
    await world.close();
  }
}

/** Plays the plans in their order, so many at once; none is begun when the time is over. */
async function playAll(world, plans, { concurrency, minutes }) {
  const left = [...plans];
  const until = world.now() + minutes * 60_000;
  const records = [];
  const say = setInterval(
    () => console.log(`    ${world.now()} ms: ${records.length} runs ended, ${left.length} to come`),
    SAY_EVERY_MS,
  );
  const lane = async () => {
    while (left.length > 0 && world.now() < until) records.push(...(await playRun(world, left.shift())));
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  clearInterval(say);
  return records;
}

async function reportOf(world, { options, records, history, began }) {
  const tookMs = world.now() - began;
  const evidence = await gatherEvidence(world, records);
  const proof = prove(evidence);
  const { postgres, redis } = world.stores;
  const report = {
    machine: await describeMachine({ postgres, redis }),
    options,
    tookMs,
    faults: world.faults,
    figures: figuresOf(evidence),
    proof: proof.map(({ name, findings }) => ({ name, count: findings.length, findings })),
    history,
    deaths: evidence.deaths,
    offenders: offendersOf(proof, { evidence, history, logBook: world.logBook }),
  };
  printReport({ options, proof, faults: world.faults, figures: report.figures });
  printOffenders(report.offenders);
  console.log(`Wrote ${writeReport(report, world.logBook)}`);
  return report;
}
