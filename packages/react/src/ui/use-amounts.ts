import { useMemo } from 'react';
import { type Amounts, amountsIn } from './amounts.js';
import { useUi } from './ui-context.js';

/** Numbers as the reader writes them. */
export function useAmounts(): Amounts {
  const { locale } = useUi();
  return useMemo(() => amountsIn(locale), [locale]);
}
