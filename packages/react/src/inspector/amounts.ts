import { useMemo } from 'react';
import { useUi } from '../ui/ui-context.js';

export type Amounts = {
  number(value: number): string;
  /** In bytes, kilobytes or megabytes of 1000, with three digits. */
  bytes(value: number): string;
  /** A share of 1 as a percentage. */
  share(value: number): string;
  /** The same, with its sign. */
  difference(value: number): string;
};

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Numbers as the language `locale` writes them. */
export function amountsIn(locale: string): Amounts {
  const whole = new Intl.NumberFormat(locale);
  const percent = { style: 'percent', maximumFractionDigits: 1 } as const;
  const share = new Intl.NumberFormat(locale, percent);
  const difference = new Intl.NumberFormat(locale, { ...percent, signDisplay: 'exceptZero' });
  const sizes = UNITS.map(
    (unit) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumSignificantDigits: 3,
      }),
  );
  return {
    number: (value) => whole.format(value),
    share: (value) => share.format(value),
    difference: (value) => difference.format(value),
    bytes: (value) => {
      // 999,500 in three digits is a megabyte, not 1,000 kilobytes.
      const rounded = Number(value.toPrecision(3));
      const step = rounded < 1 ? 0 : Math.min(Math.floor(Math.log10(rounded) / 3), UNITS.length - 1);
      return sizes[step]?.format(value / 1000 ** step) ?? String(value);
    },
  };
}

/** Numbers as the reader writes them. */
export function useAmounts(): Amounts {
  const { locale } = useUi();
  return useMemo(() => amountsIn(locale), [locale]);
}
