import type { Provider } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { countLateCancellations } from './state/cancellation-store.ts';

/** How many cancellations each provider has not confirmed for an hour; nothing of one that has confirmed all. */
export function readLateCancellations({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<{ provider: Provider; count: number }[]> {
  return countLateCancellations(database.sql, clock.now());
}
