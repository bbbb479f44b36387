import { dayOf } from '#contract/time.ts';

/** What a message costs beyond its model's price, from a day on, in Credits (specification, “A price is a quote”). */
export interface ExtraPrices {
  /** The first day, UTC: `YYYY-MM-DD`. */
  from: string;
  /** Files and pictures that the model reads in a turn: `each` for every `step` tokens begun after the first `free`. */
  files: { free: number; step: number; each: number };
  /** `each` executed query of a web search, `most` a message. */
  search: { each: number; most: number };
  /** A picture made, by its size. */
  picture: { '1K': number; '2K': number; '4K': number };
  /** Steps of a browser that the price of the message covers, and that paying it once more covers again. */
  computer: { steps: number };
}

/** Oldest first. A change is a new row with its day: quotes made before stay what they were. */
export const EXTRA_PRICES: readonly ExtraPrices[] = [
  {
    from: '2026-11-24',
    files: { free: 8_000, step: 8_000, each: 1 },
    search: { each: 3, most: 15 },
    picture: { '1K': 20, '2K': 40, '4K': 70 },
    computer: { steps: 10 },
  },
];

/** The prices that hold at a time, of rows that are oldest first. */
export function extraPricesAt(at: Date, rows = EXTRA_PRICES): ExtraPrices {
  const day = dayOf(at);
  const prices = rows.findLast(({ from }) => from <= day) ?? rows[0];
  if (!prices) throw new Error('there are no prices');
  return prices;
}
