import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#test/runs.ts';
import { EXTRA_PRICES, extraPricesAt } from './extra-prices.ts';
import { costAt, MODELS, type Model } from './models.ts';
import { allowedSteps, chargeOf, extendQuote, plainQuote, priceOfMoreSteps, quoteOf } from './quote-rules.ts';

const DAY = new Date('2026-12-24T12:00:00Z');

function modelOf(id: string): Model {
  const model = MODELS.find((each) => each.id === id);
  if (!model) throw new Error(`no model ${id}`);
  return model;
}

test('a message of text alone costs what its model costs, on any day', () => {
  for (const model of MODELS) {
    const { cost, pictures } = model;
    if (!pictures) expect(quoteOf(model, {}, DAY)).toEqual(cost === null ? null : plainQuote(cost));
    expect(quoteOf(model, { fileTokens: [], search: false, steps: 10 }, new Date(0))?.max).toBe(
      cost ?? undefined,
    );
  }
});

test.each([
  [[8_000], 0],
  [[8_001], 1],
  [[4_000, 4_000, 8_000], 1],
  [[16_001], 2],
  [[56_000], 6],
])('files of %j tokens cost %i Credits', (fileTokens, credits) => {
  expect(quoteOf(modelOf('parley-flash'), { fileTokens }, DAY)?.max).toBe(15 + credits);
});

test.each([
  [{ search: true }, 15, { searches: 0 }, 0],
  [{ search: true }, 15, { searches: 2 }, 6],
  [{ search: true }, 15, { searches: 7 }, 15],
  [{ steps: 30 }, 30, { steps: 10 }, 0],
  [{ steps: 30 }, 30, { steps: 11 }, 15],
  [{ steps: 30 }, 30, { steps: 30 }, 30],
] as const)('%j may cost %i Credits more; of it %j costs %i', (priced, more, ran, charged) => {
  const quote = quoteOf(modelOf('parley-flash'), priced, DAY);
  expect(quote?.max).toBe(15 + more);
  expect(quote && chargeOf(quote, ran).total).toBe(15 + charged);
});

test.each([
  [{}, 20, 0, 0],
  [{}, 20, 1, 20],
  [{ picture: '1K' }, 20, 1, 20],
  [{ picture: '2K' }, 40, 1, 40],
  [{ picture: '4K' }, 70, 1, 70],
  [{ picture: '4K' }, 70, 3, 70],
  [{ picture: '4K', fileTokens: [16_000] }, 71, 0, 0],
  [{ picture: '4K', fileTokens: [16_000] }, 71, 1, 71],
] as const)(
  'a picture of %j costs at most %i Credits and nothing else; with %i made %i',
  (priced, max, made, charged) => {
    const quote = quoteOf(modelOf('gemini-3.1-flash-image'), priced, DAY);
    expect(quote?.max).toBe(max);
    expect(quote && chargeOf(quote, { pictures: made }).total).toBe(charged);
    expect(quote?.lines.map(({ kind }) => kind)).not.toContain('message');
  },
);

test('a model that writes is not charged for pictures', () => {
  const quote = quoteOf(modelOf('parley-flash'), { picture: '4K' }, DAY);
  expect(quote).toEqual(quoteOf(modelOf('parley-flash'), {}, DAY));
  expect(quote && chargeOf(quote, { pictures: 5 }).total).toBe(15);
});

test('P21: whatever was asked and whatever ran, each line is charged no more than was quoted for it', () => {
  const count = fc.nat({ max: 1_000 });
  const priced = fc.record({
    fileTokens: fc.array(fc.nat({ max: 200_000 }), { maxLength: 10 }),
    search: fc.boolean(),
    picture: fc.option(fc.constantFrom('1K' as const, '2K' as const, '4K' as const), { nil: undefined }),
    steps: fc.nat({ max: 40 }),
  });
  const model = fc.constantFrom(...MODELS.filter(({ cost }) => cost !== null));
  const day = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  const ran = fc.record({ searches: count, pictures: count, steps: count });
  fc.assert(
    fc.property(model, priced, day, ran, (each, asked, at, did) => {
      const quote = quoteOf(each, asked, at);
      if (!quote) throw new Error('no quote');
      const { total, lines } = chargeOf(quote, did);
      expect(total).toBe(lines.reduce((sum, { credits }) => sum + credits, 0));
      expect(total).toBeLessThanOrEqual(quote.max);
      for (const { kind, credits } of lines) {
        expect(credits).toBeLessThanOrEqual(quote.lines.find((line) => line.kind === kind)?.max ?? 0);
      }
    }),
    { numRuns: runs(1_000) },
  );
});

test.each([10, 20])(
  'steps after the first %i cost what they did when the message was sent, however the price changed',
  (allowed) => {
    const sent = quoteOf(modelOf('gemini-computer-use'), { steps: allowed }, new Date());
    if (!sent) throw new Error('it has no price');
    const tens = allowed / 10;
    const each = sent.max / tens;
    let quote = sent;
    // A model of another price stands for the same one after its price changed.
    for (const [n, model] of ['parley-flash', 'gemini-computer-use'].entries()) {
      const more = priceOfMoreSteps({ quote, paidSteps: allowed + 10 * n }, modelOf(model), new Date());
      expect(more).toEqual({ steps: 10, credits: each });
      quote = extendQuote(quote, allowed + 10 * n, more);
    }
    expect(quote.max).toBe(each * (tens + 2));
    expect(chargeOf(quote, { steps: allowed + 20 }).total).toBe(quote.max);
    expect(chargeOf(quote, { steps: allowed + 10 }).total).toBe(quote.max - each);
  },
);

test('steps that the price of a message covered stay covered in so many, whatever a later row says', () => {
  const model = modelOf('gemini-computer-use');
  const sent = quoteOf(model, { steps: 4 }, new Date());
  if (!sent) throw new Error('it has no price');
  const more = priceOfMoreSteps({ quote: sent, paidSteps: 4 }, model, new Date());
  expect(more).toEqual({ steps: 4, credits: 15 });
  expect(chargeOf(extendQuote(sent, 4, more), { steps: 5 }).total).toBe(30);
});

test.each([
  ['2027-06-30T23:59:59.999Z', undefined, 10, 15],
  ['2027-06-30T23:59:59.999Z', 20, 20, 30],
  ['2027-07-01T00:00:00.000Z', undefined, 4, 15],
  ['2027-07-01T00:00:00.000Z', 10, 12, 45],
  ['2027-07-01T00:00:00.000Z', 30, 30, 120],
])(
  'at %s, before and after a row that covers 4 steps, %s chosen steps allow %i and hold %i Credits',
  (time, chosen, allowed, held) => {
    const [first] = EXTRA_PRICES;
    if (!first) throw new Error('no prices');
    const rows = [first, { ...first, from: '2027-07-01', computer: { steps: 4 } }];
    const at = new Date(time);
    const steps = allowedSteps(chosen, at, rows);
    expect(steps).toBe(allowed);
    expect(quoteOf(modelOf('gemini-computer-use'), { steps }, at, rows)?.max).toBe(held);
  },
);

test('prices have their days in order', () => {
  const days = EXTRA_PRICES.map(({ from }) => from);
  expect(days).toEqual([...new Set(days)].toSorted());
  for (const day of days) expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
});

test.each([
  ['2020-01-01T00:00:00.000Z', 20, 3],
  ['2026-12-31T23:59:59.999Z', 20, 3],
  ['2027-01-01T00:00:00.000Z', 25, 4],
  ['2027-06-30T23:59:59.999Z', 25, 4],
  ['2027-07-01T00:00:00.000Z', 18, 5],
])('at %s the prices of that day hold', (time, cost, each) => {
  const at = new Date(time);
  const laterCosts = [
    { from: '2027-01-01', cost: 25 },
    { from: '2027-07-01', cost: 18 },
  ];
  expect(costAt({ cost: 20, laterCosts }, at)).toBe(cost);
  expect(costAt({ cost: null, laterCosts }, at)).toBeNull();
  const [first] = EXTRA_PRICES;
  if (!first) throw new Error('no prices');
  const rows = [
    { ...first, from: '2026-11-24', search: { each: 3, most: 15 } },
    { ...first, from: '2027-01-01', search: { each: 4, most: 20 } },
    { ...first, from: '2027-07-01', search: { each: 5, most: 25 } },
  ];
  expect(extraPricesAt(at, rows).search.each).toBe(each);
});
