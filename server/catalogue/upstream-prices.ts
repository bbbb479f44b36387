/** What an upstream model costs from a day on, in US dollars for a million tokens. Thinking counts as output. */
export interface UpstreamPrice {
  /** The first day, UTC: `YYYY-MM-DD`. */
  from: string;
  input: number;
  output: number;
}

const GEMINI_FLASH_38: readonly UpstreamPrice[] = [
  { from: '2026-09-02', input: 0.75, output: 3.75 },
  { from: '2027-01-01', input: 1.5, output: 7.5 },
];
const GEMINI_FLASH_LITE_35: UpstreamPrice = { from: '2026-07-21', input: 0.3, output: 2.5 };
/** From this day Google answers requests for the 2.5 pro and flash models with newer ones, at the newer ones' prices. */
const ROUTED_FROM = '2026-12-01';

/**
 * Google's list prices, by upstream model, oldest first. `gemini-4-argon` with its step: ai.google.dev, "latest model", a stored
 * copy. The others come at second hand, from gateways' price lists: check them against Google's pricing page before relying on them.
 */
export const UPSTREAM_PRICES: Readonly<Record<string, readonly UpstreamPrice[]>> = {
  'gemini-4-argon': [
    { from: '2026-10-13', input: 2, output: 10 },
    { from: '2026-12-01', input: 4, output: 20 },
  ],
  'gemini-3.8-flash': GEMINI_FLASH_38,
  'gemini-3.5-flash-lite': [GEMINI_FLASH_LITE_35],
  'gemini-2.5-pro': [
    { from: '2025-06-17', input: 1.25, output: 10 },
    ...GEMINI_FLASH_38.map((price) => ({ ...price, from: laterOf(price.from, ROUTED_FROM) })),
  ],
  'gemini-2.5-flash': [
    { from: '2025-06-17', input: 0.3, output: 2.5 },
    { ...GEMINI_FLASH_LITE_35, from: ROUTED_FROM },
  ],
  'gemini-2.5-flash-lite': [{ from: '2025-07-22', input: 0.1, output: 0.4 }],
};

function laterOf(day: string, other: string): string {
  return day > other ? day : other;
}

/** The list price of an upstream model at a time; null for a model whose price we do not know. */
export function upstreamPriceAt(model: string, at: Date): UpstreamPrice | null {
  const day = at.toISOString().slice(0, 10);
  const prices = UPSTREAM_PRICES[model];
  return prices?.findLast(({ from }) => from <= day) ?? prices?.[0] ?? null;
}
