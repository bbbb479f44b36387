import type { UpstreamRoute } from '#server/catalogue/model-routes.ts';

const REMEMBERED_MS = 10 * 60_000;

/** Which upstream models answered 404 of late, so that not every message asks for them again. */
export interface GoneModels {
  mark(route: UpstreamRoute): void;
  /** The chain without what is gone; the whole chain when all of it is. */
  present(chain: readonly UpstreamRoute[]): readonly UpstreamRoute[];
}

/** A memory of ten minutes; `now` gives milliseconds. */
export function createGoneModels(now: () => number = () => performance.now()): GoneModels {
  const until = new Map<UpstreamRoute, number>();
  const isGone = (route: UpstreamRoute) => (until.get(route) ?? 0) > now();
  return {
    mark(route) {
      until.set(route, now() + REMEMBERED_MS);
    },
    present(chain) {
      const present = chain.filter((route) => !isGone(route));
      return present.length > 0 ? present : chain;
    },
  };
}
