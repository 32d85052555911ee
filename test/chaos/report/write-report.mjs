/** Prints what was proved, and keeps it as a file together with the machine and the seed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { traceOf } from './trace.mjs';

const OUTPUT = join(root, 'test/chaos/output');
const TRACED_RUNS = 8;
const PRINTED_LINES = 60;

export function printReport({ options, proof, faults, figures }) {
  console.log(`\nFaults and interferences (seed ${options.seed})`);
  console.table(faults);
  console.log('Figures');
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name}: ${JSON.stringify(value)}`);
  console.log('\nProof');
  console.table(Object.fromEntries(proof.map(({ name, findings }) => [name, { count: findings.length }])));
}

/** Every run that breaks a rule, with its story. */
export function offendersOf(proof, context) {
  const numbers = [...new Set(proof.flatMap(({ findings }) => findings.map(({ run }) => run)))];
  return numbers.slice(0, TRACED_RUNS).map((number) => {
    const run = context.evidence.runs.find(({ record }) => record.number === number);
    const broken = proof.flatMap(({ name, findings }) =>
      findings.filter((one) => one.run === number).map(({ what }) => `${name}: ${what}`),
    );
    return { number, runId: run?.record.runId ?? null, broken, trace: run ? traceOf(run, context) : [] };
  });
}

export function printOffenders(offenders) {
  for (const { number, runId, broken, trace } of offenders) {
    console.log(`\n✖ run ${number} ${runId ?? ''}`);
    for (const line of broken) console.log(`  ${line}`);
    for (const line of trace.slice(0, PRINTED_LINES)) console.log(`    ${line}`);
    if (trace.length > PRINTED_LINES)
      console.log(`    … ${trace.length - PRINTED_LINES} more lines in the file`);
  }
}

/** Writes the report; with offenders also all that the processes said. Returns the path. */
export function writeReport(report, logBook) {
  mkdirSync(OUTPUT, { recursive: true });
  const name = `${report.machine.date.replaceAll(/[:.]/g, '-')}-seed-${report.options.seed}`;
  const text = `${JSON.stringify(report, null, 2)}\n`;
  for (const file of [`${name}.json`, 'latest.json']) writeFileSync(join(OUTPUT, file), text);
  if (report.offenders.length > 0) {
    const lines = logBook.lines.map(({ t, name: from, text: said }) => `${t} ${from} ${said}`);
    writeFileSync(join(OUTPUT, `${name}.log`), `${lines.join('\n')}\n`);
  }
  return relative(root, join(OUTPUT, `${name}.json`));
}
