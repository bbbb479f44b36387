import type { UpstreamRoute } from '#server/catalogue/model-routes.ts';

const GONE_MS = 10 * 60_000;
const TROUBLED_MS = 30_000;

/** Which routes failed of late, so that not every message tries them again. */
export interface GoneModels {
  /** The model of the route answered 404. */
  mark(route: UpstreamRoute): void;
  /** The route failed, and a standby was asked. */
  markTroubled(route: UpstreamRoute): void;
  /** The chain without what is gone, and without what is in trouble where a standby behind it is not; the whole chain when nothing is left. */
  present(chain: readonly UpstreamRoute[]): readonly UpstreamRoute[];
}

/** A memory of ten minutes for what is gone and of half a minute for what is in trouble; `now` gives milliseconds. */
export function createGoneModels(now: () => number = () => performance.now()): GoneModels {
  const goneUntil = new Map<UpstreamRoute, number>();
  const troubledUntil = new Map<UpstreamRoute, number>();
  const isIn = (until: Map<UpstreamRoute, number>, route: UpstreamRoute) => (until.get(route) ?? 0) > now();
  return {
    mark(route) {
      goneUntil.set(route, now() + GONE_MS);
    },
    markTroubled(route) {
      troubledUntil.set(route, now() + TROUBLED_MS);
    },
    present(chain) {
      const present = chain.filter((route) => !isIn(goneUntil, route));
      const wellStandby = present.findLastIndex((route) => route.standby && !isIn(troubledUntil, route));
      const well = present.filter((route, index) => index >= wellStandby || !isIn(troubledUntil, route));
      return well.length > 0 ? well : chain;
    },
  };
}
