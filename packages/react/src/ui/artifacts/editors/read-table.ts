import Papa from 'papaparse';

export type Table = {
  columns: string[];
  rows: string[][];
  /** Some lines have more or fewer cells than the head, or a quote that does not end. */
  broken: boolean;
};

/** Reads a table from CSV, from values with tabs between, or from a JSON list of objects. Never throws. */
export function readTable(text: string, mimeType: string): Table {
  return mimeType === 'application/json' ? readJson(text) : readSeparated(text, mimeType);
}

function readSeparated(text: string, mimeType: string): Table {
  const delimiter = mimeType === 'text/tab-separated-values' ? '\t' : '';
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\ufeff/, ''), {
    delimiter,
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
  });
  const [head = [], ...rows] = data;
  const width = rows.reduce((most, { length }) => Math.max(most, length), head.length);
  const columns = Array.from({ length: width }, (_, index) => head[index] ?? '');
  return {
    columns,
    rows,
    broken: errors.some(({ type }) => type === 'Quotes') || rows.some(({ length }) => length !== head.length),
  };
}

function readJson(text: string): Table {
  const list = parse(text);
  if (!Array.isArray(list)) return { columns: [], rows: [], broken: true };
  const columns = new Map<string, number>();
  for (const item of list)
    for (const name of isObject(item) ? Object.keys(item) : [])
      if (!columns.has(name)) columns.set(name, columns.size);
  const names = [...columns.keys()];
  const rows = list.map((item) =>
    isObject(item) ? names.map((name) => cellText(item[name])) : [cellText(item)],
  );
  return { columns: names, rows, broken: list.some((item) => !isObject(item)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const cellText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

export type Sorting = { column: number; descending: boolean } | null;

/** The rows that hold the words, in the order that is asked for. Numbers sort as numbers, empty cells always last. */
export function arrangeRows(
  rows: readonly string[][],
  filter: string,
  sorting: Sorting,
  locale: string,
): string[][] {
  const words = filter.trim().toLowerCase();
  const found =
    words === '' ? [...rows] : rows.filter((row) => row.some((cell) => cell.toLowerCase().includes(words)));
  if (sorting === null) return found;
  const { column, descending } = sorting;
  const collator = new Intl.Collator(locale, { numeric: true });
  const numbers = found.map((row) => numberOf(row[column] ?? ''));
  const isNumeric = numbers.every((value, index) => value !== null || (found[index]?.[column] ?? '') === '');
  return found
    .map((row, index) => ({ row, cell: row[column] ?? '', value: numbers[index] ?? 0, index }))
    .sort((a, b) => {
      if ((a.cell === '') !== (b.cell === '')) return a.cell === '' ? 1 : -1;
      const order = isNumeric ? a.value - b.value : collator.compare(a.cell, b.cell);
      return (descending ? -order : order) || a.index - b.index;
    })
    .map(({ row }) => row);
}

/** Also with thousands between commas, and a percent sign. Null for everything else. */
function numberOf(cell: string): number | null {
  const plain = cell
    .trim()
    .replace(/^(-?\d{1,3}(?:,\d{3})+)(?=$|\.|%)/, (digits) => digits.replaceAll(',', ''));
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?%?$/i.test(plain) ? Number.parseFloat(plain) : null;
}
