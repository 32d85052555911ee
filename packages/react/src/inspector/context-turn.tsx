import type { ContextReason, TurnContext } from '@plinth/protocol';
import { useId } from 'react';
import { useAmounts } from '../ui/use-amounts.js';
import { ContextBar } from './context-bar.js';
import type { Scale } from './context-bars.js';
import { ContextNumbers } from './context-numbers.js';
import { useInspectorStrings } from './use-inspector-strings.js';

type ContextTurnProps = { turn: TurnContext; turns: readonly TurnContext[]; scale: Scale };

/** One request: its two accounts, how it was counted, and why something is not in it. */
export function ContextTurn({ turn, turns, scale }: ContextTurnProps) {
  const strings = useInspectorStrings();
  const titleId = useId();
  return (
    <article className="plinth-context-turn" aria-labelledby={titleId}>
      <h3 id={titleId}>{strings.turn(turn.turn + 1)}</h3>
      <ContextBar turn={turn} turns={turns} unit="tokens" scale={scale} />
      <ContextBar turn={turn} turns={turns} unit="bytes" scale={scale} />
      <Counts turn={turn} />
      {turn.reasons.length === 0 ? (
        <p className="plinth-faint">{strings.nothingLeftOut}</p>
      ) : (
        <>
          <h4>{strings.reasonsTitle}</h4>
          <ul className="plinth-context-reasons">
            {turn.reasons.map((reason) => (
              <Reason key={reason.code} reason={reason} />
            ))}
          </ul>
        </>
      )}
      <ContextNumbers turn={turn} />
    </article>
  );
}

function Counts({ turn }: { turn: TurnContext }) {
  const strings = useInspectorStrings();
  const { number, bytes, share, difference } = useAmounts();
  const { tokens, inputTokens, cachedInputTokens, prefixBytes } = turn;
  const isAnswered = inputTokens > 0;
  return (
    <dl className="plinth-context-counts">
      <dt>{strings.counted[turn.tokensExact ? 'exact' : 'estimated']}</dt>
      <dd>{number(tokens)}</dd>
      <dt>{strings.provider}</dt>
      <dd>
        {isAnswered ? number(inputTokens) : strings.providerPending}
        {isAnswered && (
          <span className="plinth-faint">
            {' '}
            ({strings.providerDifference(difference((tokens - inputTokens) / inputTokens))})
          </span>
        )}
      </dd>
      {isAnswered && (
        <>
          <dt>{strings.cached}</dt>
          <dd>{strings.ofWhole(number(cachedInputTokens), share(cachedInputTokens / inputTokens))}</dd>
        </>
      )}
      <dt>{strings.prefix}</dt>
      <dd>
        {prefixBytes === null
          ? strings.firstRequest
          : strings.ofWhole(bytes(prefixBytes), share(prefixBytes / Math.max(turn.bytes, 1)))}
      </dd>
    </dl>
  );
}

/** What happened, which wall asked for it, and what it saved. */
function Reason({ reason: { code, wall, count, tokens, bytes, detail } }: { reason: ContextReason }) {
  const strings = useInspectorStrings();
  const amounts = useAmounts();
  return (
    <li>
      {strings.reasons[code](count)}{' '}
      <span className="plinth-faint">
        {strings.askedBy(strings.walls[wall])}
        {tokens + bytes > 0 && ` ${strings.saved(amounts.number(tokens), amounts.bytes(bytes))}`}
        {detail !== null && ` (${detail})`}
      </span>
    </li>
  );
}
