import type { TurnContext } from '@plinth/protocol';
import { useAmounts } from '../ui/use-amounts.js';
import { sumOf, usedAccounts } from './context-bars.js';
import { useInspectorStrings } from './use-inspector-strings.js';

/** The bars of one turn as a table, for whoever reads numbers better, or has no use for bars. */
export function ContextNumbers({ turn }: { turn: TurnContext }) {
  const strings = useInspectorStrings();
  const amounts = useAmounts();
  const cells = (tokens: number, bytes: number) => (
    <>
      <td>{amounts.number(tokens)}</td>
      <td>{amounts.bytes(bytes)}</td>
    </>
  );
  return (
    <details className="plinth-context-numbers">
      <summary>{strings.numbers}</summary>
      <table>
        <caption className="plinth-unseen">{strings.turn(turn.turn + 1)}</caption>
        <thead>
          <tr>
            <th scope="col">{strings.account}</th>
            <th scope="col">{strings.tokens}</th>
            <th scope="col">{strings.bytes}</th>
          </tr>
        </thead>
        <tbody>
          {usedAccounts([turn]).map((account) => (
            <tr key={account}>
              <th scope="row">{strings.accounts[account]}</th>
              {cells(turn.accounts[account]?.tokens ?? 0, turn.accounts[account]?.bytes ?? 0)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{strings.sum}</th>
            {cells(sumOf(turn, 'tokens'), sumOf(turn, 'bytes'))}
          </tr>
        </tfoot>
      </table>
    </details>
  );
}
