// biome-ignore-all lint/a11y/useSemanticElements: rows that are not drawn cannot be of a <table>; the roles say what it is.
// biome-ignore-all lint/a11y/useFocusableInteractive: the box that scrolls has the focus, as a plain table's would.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import { Icon } from '../../icons.js';
import { useUi } from '../../ui-context.js';
import type { ArtifactViewProps } from '../artifact-plugin.js';
import { arrangeRows, readTable, type Sorting } from './read-table.js';

/** Height of a row in pixels: all are the same, so that the place of each is known without drawing it. */
const ROW_PX = 34;
const OVERSCAN = 12;

/** A table of any length: only the rows in sight are drawn. It can be sorted by each column, and filtered. */
export default function TableView({ artifact, text, title }: ArtifactViewProps) {
  const { strings, locale } = useUi();
  const table = useMemo(() => readTable(text ?? '', artifact.mimeType), [text, artifact.mimeType]);
  const [sorting, setSorting] = useState<Sorting>(null);
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);
  const rows = useMemo(
    () => arrangeRows(table.rows, wanted, sorting, locale),
    [table, wanted, sorting, locale],
  );
  const box = useRef<HTMLElement>(null);
  const filterId = useId();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: ROW_PX,
  });
  const sortBy = (column: number) =>
    setSorting((now) =>
      now?.column !== column
        ? { column, descending: false }
        : now.descending
          ? null
          : { column, descending: true },
    );
  const columns = { '--plinth-columns': table.columns.length } as CSSProperties;
  return (
    <div className="plinth-table">
      <div className="plinth-table-bar">
        <label className="plinth-hidden" htmlFor={filterId}>
          {strings.tableFilter}
        </label>
        <input
          id={filterId}
          className="plinth-input"
          type="search"
          value={filter}
          placeholder={strings.tableFilter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <span className="plinth-faint" role="status">
          {strings.tableRows(rows.length, table.rows.length)}
        </span>
      </div>
      {table.broken && <p className="plinth-artifact-note">{strings.tableBroken}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <section ref={box} className="plinth-table-box" tabIndex={0} aria-label={title}>
        <div
          role="table"
          aria-label={title}
          aria-rowcount={rows.length + 1}
          className="plinth-grid"
          style={{ ...columns, height: virtual.getTotalSize() + ROW_PX }}
        >
          <div role="rowgroup" className="plinth-grid-head">
            <div role="row" aria-rowindex={1} className="plinth-grid-row">
              {table.columns.map((name, column) => (
                <div
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name, and their places stay.
                  key={column}
                  role="columnheader"
                  aria-sort={
                    sorting?.column !== column ? 'none' : sorting.descending ? 'descending' : 'ascending'
                  }
                >
                  <button type="button" onClick={() => sortBy(column)} title={name}>
                    <span>{name}</span>
                    {sorting?.column === column && (
                      <span className={sorting.descending ? 'plinth-sort' : 'plinth-sort plinth-sort--up'}>
                        <Icon name="down" />
                      </span>
                    )}
                  </button>
                </div>
              ))}
            </div>
          </div>
          <div role="rowgroup">
            {virtual.getVirtualItems().map(({ index, start }) => (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className="plinth-grid-row"
                style={{ transform: `translateY(${start}px)` }}
              >
                {table.columns.map((_name, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name than their place.
                  <div key={column} role="cell" title={rows[index]?.[column]}>
                    {rows[index]?.[column]}
                  </div>
                ))}
              </div>
            ))}
          </div>
        </div>
      </section>
    </div>
  );
}
