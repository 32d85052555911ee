import { Fragment, type ReactNode, useMemo } from 'react';
import { useUi } from '../ui-context.js';
import { type DiffPart, diffTexts } from './merge-texts.js';

type TextDiffProps = { left: string; right: string; leftName: string; rightName: string };

/** Lines that stand around a difference, so that its place is known. */
const CONTEXT_LINES = 3;

/** Two texts side by side, with what differs marked; long stretches that are the same are left out. */
export function TextDiff({ left, right, leftName, rightName }: TextDiffProps) {
  const { strings } = useUi();
  const parts = useMemo(() => diffTexts(left, right), [left, right]);
  const changed = parts.filter(({ kind }) => kind === 'changed').length;
  return (
    <div className="plinth-diff">
      <p className="plinth-artifact-note">{strings.differences(changed)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <section className="plinth-diff-box" tabIndex={0} aria-label={`${leftName} – ${rightName}`}>
        <table>
          <colgroup>
            <col className="plinth-diff-number" />
            <col />
            <col className="plinth-diff-number" />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th colSpan={2} scope="col">
                {leftName}
              </th>
              <th colSpan={2} scope="col">
                {rightName}
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part, index) => (
              <Fragment key={`${part.left.from} ${part.right.from}`}>
                {rowsOf(part, index === 0, index === parts.length - 1)}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function rowsOf({ kind, left, right }: DiffPart, isFirst: boolean, isLast: boolean): ReactNode[] {
  const count = Math.max(left.lines.length, right.lines.length);
  const isNear = (index: number) =>
    kind === 'changed' || (!isFirst && index < CONTEXT_LINES) || (!isLast && index >= count - CONTEXT_LINES);
  const rows: ReactNode[] = [];
  for (let index = 0; index < count; index += 1) {
    if (isNear(index)) rows.push(row(kind, left, right, index));
    else if (index === 0 || isNear(index - 1))
      rows.push(
        <tr key="rest" className="plinth-diff-rest">
          <td colSpan={4}>⋯</td>
        </tr>,
      );
  }
  return rows;
}

function row(
  kind: DiffPart['kind'],
  left: DiffPart['left'],
  right: DiffPart['right'],
  index: number,
): ReactNode {
  const [a, b] = [left.lines[index], right.lines[index]];
  return (
    <tr key={index} className={kind === 'changed' ? 'plinth-diff-changed' : undefined}>
      <td className="plinth-diff-number">{a === undefined ? '' : left.from + index}</td>
      <td className="plinth-diff-left">{a === undefined ? '' : kind === 'changed' ? <del>{a}</del> : a}</td>
      <td className="plinth-diff-number">{b === undefined ? '' : right.from + index}</td>
      <td className="plinth-diff-right">{b === undefined ? '' : kind === 'changed' ? <ins>{b}</ins> : b}</td>
    </tr>
  );
}
