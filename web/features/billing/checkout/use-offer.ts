import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Cycle, PlanKey } from '#contract/billing.ts';
import { PLAN_KEYS, PROVIDERS, type Provider } from '#contract/choices.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { type Billing, useBilling } from './use-billing.ts';

export interface Offer {
  billing: Billing;
  choice: PurchaseChoice;
  /** Those that can be paid with; to a visitor, all. */
  providers: readonly Provider[];
}

/**
 * What a page that sells plans needs to know: what the reader has, and what is chosen. `left` is how a purchase was to be paid that
 * was not made.
 */
export function useOffer(left: Choice | null = null): Offer {
  const billing = useBilling();
  const status = billing.state === 'known' ? billing.status : null;
  const providers = status?.providers ?? PROVIDERS;
  const held = status?.active ? status : null;
  const usual = {
    cycle: left?.cycle ?? status?.wish?.cycle ?? held?.cycle ?? null,
    provider: left?.provider ?? held?.provider ?? null,
  };
  return { billing, choice: usePurchaseChoice(providers, usual), providers };
}

const CYCLES: readonly Cycle[] = ['annual', 'monthly'];
const NOTHING = new URLSearchParams();

interface Choice {
  cycle: Cycle;
  provider: Provider;
}

export interface PurchaseChoice extends Choice {
  /** The plan that the address names: the user chose it before signing in. */
  wanted: PlanKey | null;
  choose(change: Partial<Choice>): void;
}

/**
 * By which cycle and provider to pay until something else is chosen: the `usual` ones of who has a plan, or as is planned to follow,
 * or as in a purchase that was left; else the year, and the first of `providers`. The address keeps the choice, so that it outlives signing in, another language and the way back
 * from the provider.
 */
function usePurchaseChoice(
  providers: readonly Provider[],
  usual: { [N in keyof Choice]: Choice[N] | null },
): PurchaseChoice {
  const [search, setSearch] = useSearchParams();
  const asked = useHydrated() ? search : NOTHING;
  const [chosen, setChosen] = useState<Partial<Choice>>({});
  const wantedProvider = chosen.provider ?? asked.get('provider') ?? usual.provider;
  const choose = (change: Partial<Choice>) => {
    setChosen({ ...chosen, ...change });
    const write = (before: URLSearchParams) => {
      const after = new URLSearchParams(before);
      for (const [name, value] of Object.entries(change)) after.set(name, value);
      return after;
    };
    setSearch(write, { replace: true, preventScrollReset: true });
  };
  return {
    cycle: chosen.cycle ?? CYCLES.find((one) => one === asked.get('cycle')) ?? usual.cycle ?? 'annual',
    provider: providers.find((one) => one === wantedProvider) ?? providers[0] ?? PROVIDERS[0],
    wanted: PLAN_KEYS.find((one) => one === asked.get('plan')) ?? null,
    choose,
  };
}
