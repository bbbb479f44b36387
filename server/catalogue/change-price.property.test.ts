import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { AppError } from '#server/errors.ts';
import { runs } from '#test/runs.ts';
import { firstDay, PRICE_BOUNDS, type PriceChange, planPrice } from './change-price.ts';
import { costAt, type LaterCost, MODELS, type Model } from './models.ts';

const START = Date.UTC(2026, 11, 1);
const SOLD = MODELS.filter(({ cost, pictures }) => cost !== null && pictures === null);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The prices after a change, or the same where it is refused. */
function apply(model: Model, change: PriceChange, now: Date): Model {
  try {
    planPrice([model], change, now);
  } catch (error) {
    if (error instanceof AppError) return model;
    throw error;
  }
  const { from, cost } = change;
  const others = (model.laterCosts ?? []).filter((each) => each.from !== from);
  const laterCosts: LaterCost[] = cost === null ? others : [...others, { from, cost }];
  return { ...model, laterCosts: laterCosts.toSorted((one, other) => one.from.localeCompare(other.from)) };
}

test('P29: whatever is set and withdrawn, nobody pays more than was announced for the day seven days before', () => {
  const step = fc.record({
    hours: fc.integer({ min: 0, max: 60 }),
    day: fc.integer({ min: -2, max: 16 }),
    cost: fc.option(fc.integer({ min: PRICE_BOUNDS.least - 1, max: PRICE_BOUNDS.most + 1 })),
  });
  const steps = fc.array(step, { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.constantFrom(...SOLD), steps, (sold, all) => {
      let now = START;
      let model = sold;
      const known = [{ at: now, model }];
      for (const { hours, day, cost } of all) {
        now += hours * HOUR_MS;
        const before = model;
        model = apply(model, { model: sold.id, from: dayOf(now + day * DAY_MS), cost }, new Date(now));
        known.push({ at: now, model });
        for (const at of [now, now + HOUR_MS - 1])
          expect(costAt(model, new Date(at))).toBe(costAt(before, new Date(at)));
      }
      for (let at = START + 7 * DAY_MS; at < now; at += 6 * HOUR_MS) {
        const atThen = (ago: number) => known.findLast((each) => each.at <= at - ago)?.model ?? sold;
        const [paid, announced] = [0, 7 * DAY_MS].map((ago) => costAt(atThen(ago), new Date(at)) ?? 0);
        expect(paid).toBeLessThanOrEqual(announced ?? 0);
        expect(paid).toBeGreaterThanOrEqual(PRICE_BOUNDS.least);
      }
    }),
    { numRuns: runs(500) },
  );
});

test.each([
  ['2026-12-01T00:00:00.000Z', '2026-12-09'],
  ['2026-12-01T23:59:59.999Z', '2026-12-09'],
  ['2026-12-31T12:00:00.000Z', '2027-01-08'],
])('a price that is set at %s holds from %s at the earliest', (now, first) => {
  expect(firstDay(new Date(now))).toBe(first);
});
