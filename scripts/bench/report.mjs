/** From samples to a table for people and a file for comparisons. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../lib/paths.mjs';

const OUTPUT = join(root, 'test/bench/output');
const PEER = 'LangGraph: ';

export function summarise({ name, unit, samples, value, ...rest }) {
  if (!samples) return { name, unit, value, ...rest };
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return {
    name,
    unit,
    n: sorted.length,
    mean: sorted.reduce((sum, sample) => sum + sample, 0) / sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: sorted.at(-1),
    ...rest,
  };
}

/**
 * What a peer does beside what we do, where both have a row of the same name: theirs is called `LangGraph: <ours>`.
 * Medians are compared, or single values. A ratio of 10 says that the peer takes ten times as much.
 */
export function ratiosOf(results) {
  const rows = results.flatMap(({ measurements }) => measurements);
  const ours = new Map(rows.map((row) => [row.name, row]));
  return rows.flatMap(({ name, unit, p50, value }) => {
    const own = name.startsWith(PEER) ? ours.get(name.slice(PEER.length)) : undefined;
    if (own === undefined) return [];
    const [peer, plinth] = [value ?? p50, own.value ?? own.p50];
    return [{ name: own.name, unit, peer, plinth, ratio: peer / plinth }];
  });
}

export function writeReport({ machine, results }) {
  mkdirSync(OUTPUT, { recursive: true });
  const name = `${machine.date.replaceAll(/[:.]/g, '-')}.json`;
  const text = `${JSON.stringify({ machine, results, ratios: ratiosOf(results) }, null, 2)}\n`;
  for (const file of [name, 'latest.json']) writeFileSync(join(OUTPUT, file), text);
  console.log(`Wrote ${relative(root, join(OUTPUT, name))}`);
}

export function printTable(results) {
  for (const { file, measurements, error } of results) {
    console.log(`\n${file}${error ? `  ✖ ${error}` : ''}`);
    if (measurements.length > 0) console.table(Object.fromEntries(measurements.map(toRow)));
  }
  const ratios = ratiosOf(results);
  if (ratios.length === 0) return;
  console.log('\nLangGraph beside Plinth');
  console.table(
    Object.fromEntries(
      ratios.map(({ name, unit, peer, plinth, ratio }) => [
        name,
        { unit, LangGraph: rounded(peer), Plinth: rounded(plinth), ratio: rounded(ratio) },
      ]),
    ),
  );
}

function toRow({ name, unit, n, value, mean, p50, p95, p99, max }) {
  const figures = value === undefined ? { n, mean, p50, p95, p99, max } : { value };
  return [
    name,
    { unit, ...Object.fromEntries(Object.entries(figures).map(([key, x]) => [key, rounded(x)])) },
  ];
}

const rounded = (x) => (typeof x === 'number' ? Number(x.toPrecision(4)) : x);
