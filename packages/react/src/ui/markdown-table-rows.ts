/** Tables as GitHub writes them: a header row, a row of dashes that may name alignments, then rows. */

const DELIMITER = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

export type Alignment = 'start' | 'center' | 'end' | undefined;

export type Table = { header: string; alignments: Alignment[]; rows: string[] };

/** Whether a table begins with these two lines. Both must have the same number of cells, or a paragraph would turn into one. */
export function isTableStart(line: string, next: string | null): boolean {
  if (next === null || !line.includes('|') || !DELIMITER.test(next)) return false;
  return splitCells(line).length === splitCells(next).length;
}

/** The parts of a table block. */
export function readTable(source: string): Table {
  const [header = '', delimiter = '', ...rows] = source.split('\n');
  return { header, alignments: splitCells(delimiter).map(alignmentOf), rows };
}

function alignmentOf(cell: string): Alignment {
  const [left, right] = [cell.startsWith(':'), cell.endsWith(':')];
  if (left && right) return 'center';
  if (right) return 'end';
  return left ? 'start' : undefined;
}

/** The cells of a row. `\|` is a bar inside of a cell. */
export function splitCells(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  const row = line.trim();
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at += 1) {
    const character = row.charAt(at);
    if (character === '\\' && row.charAt(at + 1) === '|') {
      cell += '|';
      at += 1;
    } else if (character === '|') {
      cells.push(cell.trim());
      cell = '';
    } else {
      cell += character;
    }
  }
  if (cell.trim() !== '') cells.push(cell.trim());
  return cells;
}
