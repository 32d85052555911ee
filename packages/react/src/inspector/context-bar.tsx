import type { TurnContext } from '@plinth/protocol';
import { useAmounts } from '../ui/use-amounts.js';
import { barOf, type Scale, type Unit } from './context-bars.js';
import { useInspectorStrings } from './use-inspector-strings.js';

const percent = (share: number) => `${share * 100}%`;

type ContextBarProps = { turn: TurnContext; turns: readonly TurnContext[]; unit: Unit; scale: Scale };

/** What one request held in one account, as a stacked bar under its own figures. */
export function ContextBar({ turn, turns, unit, scale }: ContextBarProps) {
  const strings = useInspectorStrings();
  const amounts = useAmounts();
  const { segments, marks } = barOf(turn, turns, unit, scale);
  const format = unit === 'tokens' ? amounts.number : amounts.bytes;
  const [used, budget] =
    unit === 'tokens' ? [turn.tokens, turn.budgetTokens] : [turn.bytes, turn.budgetBytes];
  const parts = segments.map(({ account, amount }) => `${strings.accounts[account]} ${format(amount)}`);
  return (
    <div className="plinth-context-account">
      <p className="plinth-context-figures">
        <strong>{strings[unit]}</strong>
        <span>
          {strings.usedOf(format(used), format(budget), amounts.share(used / budget))}
          {unit === 'bytes' && (
            <span className="plinth-faint"> · {strings.bodyWall(format(turn.wallBytes))}</span>
          )}
        </span>
      </p>
      <div className="plinth-context-bar" role="img" aria-label={`${strings[unit]}: ${parts.join(', ')}`}>
        {segments.map(({ account, amount, share }) => (
          <span
            key={account}
            className="plinth-context-fill"
            data-account={account}
            title={`${strings.accounts[account]}: ${format(amount)}`}
            style={{ inlineSize: percent(share) }}
          />
        ))}
        {marks.map(({ kind, share }) => (
          <span
            key={kind}
            className="plinth-context-mark"
            data-mark={kind}
            title={strings.marks[kind]}
            style={{ insetInlineStart: percent(share) }}
          />
        ))}
      </div>
    </div>
  );
}
