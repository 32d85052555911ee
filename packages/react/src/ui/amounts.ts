export type Amounts = {
  number(value: number): string;
  /** In bytes, kilobytes or megabytes of 1000, with three digits. */
  bytes(value: number): string;
  /** A share of 1 as a percentage. */
  share(value: number): string;
  /** The same, without a fraction: for what moves while it is read. */
  wholeShare(value: number): string;
  /** A share, with its sign. */
  difference(value: number): string;
};

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Numbers as the language `locale` writes them. */
export function amountsIn(locale: string): Amounts {
  const writer = (options: Intl.NumberFormatOptions) => {
    let made: Intl.NumberFormat | null = null;
    // Most pages need one or two of these, and making one takes longer than writing a number.
    return (value: number) => {
      made ??= new Intl.NumberFormat(locale, options);
      return made.format(value);
    };
  };
  const percent = { style: 'percent', maximumFractionDigits: 1 } as const;
  const sizes = UNITS.map((unit) => {
    // The short form of bytes has no plural in English.
    const unitDisplay = unit === 'byte' ? 'long' : 'short';
    return writer({ style: 'unit', unit, unitDisplay, maximumSignificantDigits: 3 });
  });
  return {
    number: writer({}),
    share: writer(percent),
    wholeShare: writer({ style: 'percent' }),
    difference: writer({ ...percent, signDisplay: 'exceptZero' }),
    bytes: (value) => {
      // 999,500 in three digits is a megabyte, not 1,000 kilobytes.
      const rounded = Number(value.toPrecision(3));
      const step = rounded < 1 ? 0 : Math.min(Math.floor(Math.log10(rounded) / 3), UNITS.length - 1);
      return sizes[step]?.(value / 1000 ** step) ?? String(value);
    },
  };
}
