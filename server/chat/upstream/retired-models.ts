import { MINUTE_MS } from '#contract/time.ts';
import type { UpstreamRoute } from '#server/catalogue/upstream-chains.ts';

const RETIRED_MS = 10 * MINUTE_MS;
const TROUBLED_MS = 30_000;

/** Remembers the routes that failed lately, so that not every message tries them again. */
export interface RetiredModels {
  /** Records that the model of the route answered 404. */
  mark(route: UpstreamRoute): void;
  /** Records that the route failed, and a fallback was asked. */
  markTroubled(route: UpstreamRoute): void;
  /**
   * The chain without retired routes, and without troubled ones where a fallback behind them is not; the whole chain when nothing is
   * left.
   */
  present(chain: readonly UpstreamRoute[]): readonly UpstreamRoute[];
}

/** A memory of ten minutes for what is retired and of half a minute for what is in trouble; `now` gives milliseconds. */
export function createRetiredModels(now: () => number = () => performance.now()): RetiredModels {
  const retiredUntil = new Map<UpstreamRoute, number>();
  const troubledUntil = new Map<UpstreamRoute, number>();
  const isIn = (until: Map<UpstreamRoute, number>, route: UpstreamRoute) => (until.get(route) ?? 0) > now();
  return {
    mark(route) {
      retiredUntil.set(route, now() + RETIRED_MS);
    },
    markTroubled(route) {
      troubledUntil.set(route, now() + TROUBLED_MS);
    },
    present(chain) {
      const present = chain.filter((route) => !isIn(retiredUntil, route));
      const wellFallback = present.findLastIndex((route) => route.fallback && !isIn(troubledUntil, route));
      const well = present.filter((route, index) => index >= wellFallback || !isIn(troubledUntil, route));
      return well.length > 0 ? well : chain;
    },
  };
}
