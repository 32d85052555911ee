import type { ContextAccount, TurnContext } from '@plinth/protocol';

export type Unit = 'tokens' | 'bytes';
/** Where a bar ends: at what the endpoint takes, or at the largest turn of the run, to see what it is made of. */
export type Scale = 'limit' | 'largest';
export type Segment = { account: ContextAccount; amount: number; share: number };
export type Mark = { kind: 'budget' | 'wall'; share: number };
export type Bar = { segments: Segment[]; marks: Mark[] };

/** In this order in each bar: it is the order in the request, so a bar reads like one. */
export const ACCOUNTS: readonly ContextAccount[] = [
  'instructions',
  'tools',
  'memory',
  'history',
  'results',
  'images',
  'other',
];

/** Below a tenth of its budget a bar against the limit shows nothing of what it is made of. */
const READABLE_SHARE = 0.1;

const amountOf = ({ accounts }: TurnContext, account: ContextAccount, unit: Unit): number =>
  accounts[account]?.[unit] ?? 0;

/** What a bar shows together: the sum of its accounts. */
export const sumOf = (turn: TurnContext, unit: Unit): number =>
  ACCOUNTS.reduce((sum, account) => sum + amountOf(turn, account, unit), 0);

/** The accounts that are not zero in every turn. */
export const usedAccounts = (turns: readonly TurnContext[]): ContextAccount[] =>
  ACCOUNTS.filter((account) =>
    turns.some((turn) => amountOf(turn, account, 'tokens') + amountOf(turn, account, 'bytes') > 0),
  );

/** The scale that says more about these turns. */
export function suitableScale(turns: readonly TurnContext[]): Scale {
  const isReadable = (turn: TurnContext) =>
    turn.tokens >= turn.budgetTokens * READABLE_SHARE || turn.bytes >= turn.budgetBytes * READABLE_SHARE;
  return turns.some(isReadable) ? 'limit' : 'largest';
}

/** One bar of one turn. Shares are parts of its whole length; a mark beyond its end is left out. */
export function barOf(turn: TurnContext, turns: readonly TurnContext[], unit: Unit, scale: Scale): Bar {
  const limits: { kind: Mark['kind']; at: number }[] =
    unit === 'tokens'
      ? [{ kind: 'wall', at: turn.budgetTokens }]
      : [
          { kind: 'budget', at: turn.budgetBytes },
          { kind: 'wall', at: turn.wallBytes },
        ];
  const largest = Math.max(...turns.map((one) => sumOf(one, unit)));
  const end = scale === 'largest' ? largest : Math.max(sumOf(turn, unit), ...limits.map(({ at }) => at));
  const shareOf = (amount: number) => (end === 0 ? 0 : amount / end);
  return {
    segments: ACCOUNTS.map((account) => ({ account, amount: amountOf(turn, account, unit) }))
      .filter(({ amount }) => amount > 0)
      .map((one) => ({ ...one, share: shareOf(one.amount) })),
    marks: limits.filter(({ at }) => at <= end).map(({ kind, at }) => ({ kind, share: shareOf(at) })),
  };
}
