import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import { mergeFacts } from '#server/billing/facts/merge-facts.ts';
import { EMPTY_SNAPSHOT, type ProviderSnapshot } from '#server/billing/facts/provider-snapshot.ts';
import { runs } from '../runs.ts';
import { type History, playHistory } from './history.ts';
import type { Delivery } from './world.ts';

/** Runs of each property. */
export const numRuns = runs(1_000, 10_000);
const BITS = 0x7fff_ffff;
const numbers = fc.array(fc.noBias(fc.nat(BITS)), { maxLength: 8 });
/** What a shuffle or a choice is made from. */
export const seed = fc.nat(BITS);

/** What the inbox keeps is merged: an event with a known id is not looked at twice. */
export function receive(
  deliveries: readonly Delivery[],
  snapshot: ProviderSnapshot = EMPTY_SNAPSHOT,
): ProviderSnapshot {
  const seen = new Set<string>();
  return deliveries.reduce((merged, { id, provider, facts }) => {
    if (seen.has(id)) return merged;
    seen.add(id);
    return mergeFacts(merged, { provider, mode: 'test', facts });
  }, snapshot);
}

/** Small and quick: mulberry32. */
export function randomOf(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Another order, decided by `random`. */
export function shuffle<T>(values: readonly T[], random: () => number): T[] {
  const all = [...values];
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}

/** Every event once, some of them up to three times, in any order. */
export function replay(deliveries: readonly Delivery[], from: number, newIds: boolean): Delivery[] {
  const random = randomOf(from);
  const again = deliveries.flatMap((each) => Array.from({ length: Math.floor(random() * 3) }, () => each));
  const renamed = newIds ? again.map((each, index) => ({ ...each, id: `again_${index}` })) : again;
  return shuffle([...deliveries, ...renamed], random);
}

/** Throws with the difference; quick where there is none. */
export function same(left: unknown, right: unknown): void {
  if (!isDeepStrictEqual(left, right)) expect(left).toEqual(right);
}

/** Checks something of as many histories. */
export function holds(
  check: (history: History, seed: number) => void,
  without: Parameters<typeof playHistory>[1] = [],
) {
  fc.assert(
    fc.property(numbers, seed, (acts, from) => check(playHistory(acts, without), from)),
    { numRuns },
  );
}
