import type { ContextAccount, ContextAccounts } from '@plinth/protocol';
import { bytesInBody, bytesOf, type Draft, fixedBytes, fixedTokens, tokensOf } from './draft-request.js';
import type { FixedInputs } from './fixed-inputs.js';
import { aboutTokens } from './message-tokens.js';
import { type Scales, tokensOfDraft } from './weigh-draft.js';

type Amounts = Map<ContextAccount, { tokens: number; bytes: number }>;

function add(amounts: Amounts, account: ContextAccount, tokens: number, bytes: number): void {
  const known = amounts.get(account) ?? { tokens: 0, bytes: 0 };
  amounts.set(account, { tokens: known.tokens + tokens, bytes: known.bytes + bytes });
}

/**
 * What the two budgets go to. Bytes are exact, and come to the size of the body. Tokens are counted when the planning had to
 * count them, and else about a third of the bytes.
 */
export function weighAccounts(
  scales: Scales,
  fixed: FixedInputs,
  draft: Draft,
  inFull: boolean,
): { tokens: number; tokensExact: boolean; accounts: ContextAccounts } {
  const tokensExact = inFull || draft.isCounted;
  const share = (counted: () => number, bytes: number) =>
    tokensExact ? counted() * scales.calibration : aboutTokens(bytes);
  const amounts: Amounts = new Map();
  const bytes = fixedBytes(fixed);
  const counts = tokensExact ? fixedTokens(fixed) : null;
  for (const account of ['instructions', 'tools', 'other'] as const)
    add(
      amounts,
      account,
      share(() => counts?.[account] ?? 0, bytes[account]),
      bytes[account],
    );
  let commas = 0;
  for (const message of draft.messages) {
    const own = bytesOf(message);
    add(
      amounts,
      message.account,
      share(() => tokensOf(message), own),
      own,
    );
    commas += 1;
  }
  add(amounts, 'other', 0, commas);
  const { imageTokens } = scales.policy.profile;
  for (const picture of draft.pictures)
    add(amounts, 'images', imageTokens(picture.size.width, picture.size.height), bytesInBody(picture));
  const accounts = [...amounts].map(([account, amount]) => [
    account,
    { tokens: Math.round(amount.tokens), bytes: amount.bytes },
  ]);
  const sum = [...amounts.values()].reduce((total, { tokens }) => total + tokens, 0);
  return {
    tokens: tokensExact ? tokensOfDraft(scales, draft) : Math.round(sum),
    tokensExact,
    accounts: Object.fromEntries(accounts) as ContextAccounts,
  };
}
