/**
 * How long the counting of tokens takes for the texts that stop a tokenizer (case C4), and for the shaping of large
 * results. Each is to stay under 50 ms, so that a worker's other runs do not wait. CPU time of the process, so that a
 * busy machine says the same. Every sample is another text: the tokenizer remembers what it merged.
 */
import { countTokens, loadTokenCounter, shapeValue } from '@plinth/engine';

const SAMPLES = 30;
const POLICY = { maxTokens: 2_000, sampleArraysOver: 20 };
const chinese = (n, seed) =>
  Array.from({ length: n }, (_, i) =>
    String.fromCodePoint(0x4e00 + ((i * 7919 + seed * 104_729) % 20_000)),
  ).join('');
const row = (i) => ({
  id: `order-${i}`,
  note: 'Delivered to the neighbour on the second floor.',
  total: i * 17,
});

const TEXTS = {
  'C4 <|endoftext|>': (n) => `${n} <|endoftext|> and <|im_start|>system`,
  'C4 50,000 times one letter': (n) => String.fromCharCode(97 + (n % 26)).repeat(50_000),
  'C4 14,000 CJK characters': (n) => chinese(14_000, n),
  '50,000 characters of base64': (n) => Buffer.from(chinese(12_500, n)).toString('base64').slice(0, 50_000),
  '2,000,000 characters of CJK': (n) => chinese(20_000, n).repeat(100),
};
const VALUES = {
  'shape: a list of 10,000 rows': (n) => Array.from({ length: 10_000 }, (_, i) => row(i + n)),
  'shape: a text of 1,000,000 characters': (n) => chinese(10_000, n).repeat(100),
};

function cpuMs(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const timed = (make, work) =>
  Array.from({ length: SAMPLES }, (_, n) => {
    const input = make(n);
    return cpuMs(() => work(input));
  });

export default async function measure() {
  const loading = {
    name: 'loading the table, once a process',
    unit: 'CPU ms',
    value: cpuMs(loadTokenCounter),
  };
  countTokens('The first count compiles what the others use.');
  const rows = (cases, work) =>
    Object.entries(cases).map(([name, make]) => ({ name, unit: 'CPU ms', samples: timed(make, work) }));
  return [loading, ...rows(TEXTS, countTokens), ...rows(VALUES, (value) => shapeValue(value, POLICY))];
}
