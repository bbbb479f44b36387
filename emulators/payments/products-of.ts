import type { Product } from './ledger.ts';

/** A plan on sale, as far as a payment provider cares. */
interface PlanOnSale {
  /** Null: it is free. */
  key: string | null;
  title: { zh: string; en: string };
  description: { en: string };
  prices: readonly { cycle: 'monthly' | 'annual'; totalCents: number }[];
}

/** The products that an operator would make at a provider for `plans`: `prod_basic_monthly` for `gemini_basic`, and so on. */
export function productsOf(plans: readonly PlanOnSale[]): Omit<Product, 'createdAt'>[] {
  return plans.flatMap(({ key, title, description, prices }) =>
    key === null
      ? []
      : prices.map(({ cycle, totalCents }) => ({
          id: `prod_${key.replace(/^.*_/, '')}_${cycle}`,
          name: `${title.en} ${title.zh}`,
          description: description.en,
          priceMinor: totalCents,
          currency: 'USD',
          months: cycle === 'monthly' ? 1 : 12,
        })),
  );
}
