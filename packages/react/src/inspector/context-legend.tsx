import type { TurnContext } from '@plinth/protocol';
import { type Scale, usedAccounts } from './context-bars.js';
import { useInspectorStrings } from './use-inspector-strings.js';

type ContextLegendProps = {
  turns: readonly TurnContext[];
  scale: Scale;
  onScale: (scale: Scale) => void;
};

/** What the patterns mean, and where the bars end. */
export function ContextLegend({ turns, scale, onScale }: ContextLegendProps) {
  const strings = useInspectorStrings();
  return (
    <div className="plinth-context-key">
      <ul className="plinth-context-legend" aria-label={strings.legend}>
        {usedAccounts(turns).map((account) => (
          <li key={account}>
            <span className="plinth-context-fill" data-account={account} aria-hidden="true" />
            {strings.accounts[account]}
          </li>
        ))}
        {scale === 'limit' &&
          (['budget', 'wall'] as const).map((kind) => (
            <li key={kind}>
              <span className="plinth-context-mark" data-mark={kind} aria-hidden="true" />
              {strings.marks[kind]}
            </li>
          ))}
      </ul>
      <fieldset className="plinth-context-scale">
        <legend>{strings.scale}</legend>
        {(['limit', 'largest'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className="plinth-button plinth-button--small"
            aria-pressed={scale === one}
            onClick={() => onScale(one)}
          >
            {strings.scales[one]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
