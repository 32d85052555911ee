import { z } from 'zod';

/** Cents for one copy, by size. */
const CENTS = { A4: 60, A3: 110, square: 75, story: 95 } as const;
/** From this many copies on each costs that much less. */
const DISCOUNTS = [
  { from: 100, off: 0.2 },
  { from: 50, off: 0.1 },
];
const COPIES_A_DAY = 80;

/** Query of `GET /print-shop/price`. */
export const printWish = z.object({
  size: z.enum(['A4', 'A3', 'square', 'story']),
  copies: z.coerce.number().int().min(1).max(10_000),
});

export type PrintPrice = {
  size: keyof typeof CENTS;
  copies: number;
  currency: 'EUR';
  perCopy: number;
  total: number;
  workingDays: number;
};

/** What printing costs, in euros with whole cents, and after how many working days it is done. */
export function printPrice({ size, copies }: z.output<typeof printWish>): PrintPrice {
  const off = DISCOUNTS.find(({ from }) => copies >= from)?.off ?? 0;
  const cents = Math.round(CENTS[size] * (1 - off));
  return {
    size,
    copies,
    currency: 'EUR',
    perCopy: cents / 100,
    total: (cents * copies) / 100,
    workingDays: 1 + Math.ceil(copies / COPIES_A_DAY),
  };
}
