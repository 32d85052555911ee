import { memo, useMemo } from 'react';
import { Inline } from './markdown-inline-text.js';
import { type Alignment, readTable, splitCells } from './markdown-table-rows.js';

/** A table. Rows are memoised: while it streams in, only the last one is read and drawn again. */
export function MarkdownTable({ source }: { source: string }) {
  const { header, alignments, rows } = useMemo(() => readTable(source), [source]);
  // One text, so that a row sees whether the alignments changed.
  const aligned = alignments.map((one) => one ?? '').join(' ');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <div className="plinth-table" tabIndex={0}>
      <table dir="auto">
        <thead>
          <Row line={header} aligned={aligned} isHeader />
        </thead>
        <tbody>
          {rows.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows only ever grow at the end.
            <Row key={index} line={line} aligned={aligned} isHeader={false} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = { line: string; aligned: string; isHeader: boolean };

const Row = memo(function Row({ line, aligned, isHeader }: RowProps) {
  const cells = splitCells(line);
  const alignments = aligned.split(' ') as (NonNullable<Alignment> | '')[];
  return (
    <tr>
      {/* As many cells as the header has: what a row has more is left out, what it has less stays empty. */}
      {alignments.map((alignment, column) => {
        const style = alignment === '' ? undefined : { textAlign: alignment };
        const text = cells[column] ?? '';
        return isHeader ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
          <th key={column} scope="col" style={style}>
            <Inline text={text} />
          </th>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
          <td key={column} dir="auto" style={style}>
            <Inline text={text} />
          </td>
        );
      })}
    </tr>
  );
});
