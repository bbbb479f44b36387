import fc from 'fast-check';
import { expect, test } from 'vitest';
import { earnedOf } from '#server/catalogue/context-rules.ts';
import { MODELS } from '#server/catalogue/models.ts';
import { resolveChains } from '#server/catalogue/upstream-chains.ts';
import { priceAt, UPSTREAM_PRICES } from '#server/catalogue/upstream-prices.ts';
import { IS_LONG } from '#test/runs.ts';
import { areFollowUpsPayable, FOLLOW_UP_TOKENS, followUpRequest, followUpsFrom } from './follow-up-rules.ts';

const settings = { geminiApiKey: 'k', geminiBaseUrl: 'http://gemini', readVariable: () => undefined };
const chains = resolveChains({ ...settings, modelsFile: null });
const sold = MODELS.filter((model) => model.cost !== null);
const NOW = new Date('2026-11-24');

test.runIf(IS_LONG)('what is asked is never more than the tokens that its price is reckoned with', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3_000 });
  fc.assert(
    fc.property(text, text, (content, response) => {
      const { turns, system, maxOutputTokens } = followUpRequest({ content, response });
      const [part] = turns.flatMap(({ parts }) => parts);
      const asked = part?.kind === 'text' ? part.text : '';
      expect(asked.isWellFormed()).toBe(true);
      // No tokenizer makes more tokens of a text than it has bytes; our own English words are two at most.
      const most = Buffer.byteLength(asked) + (system ?? '').split(/\s+/).length * 2;
      expect(most).toBeLessThanOrEqual(FOLLOW_UP_TOKENS.input);
      expect(maxOutputTokens).toBe(FOLLOW_UP_TOKENS.output);
    }),
    { numRuns: 300 },
  );
});

test('they are written for no message of which they would cost us more than a hundredth', () => {
  const moments = Object.values(UPSTREAM_PRICES)
    .flat()
    .map(({ from }) => new Date(from));
  let payable = 0;
  for (const at of [NOW, ...moments]) {
    for (const model of sold) {
      for (const writer of sold) {
        const chain = chains[writer.id] ?? [];
        const dearest = Math.max(
          ...chain.map((route) => {
            const price = priceAt(UPSTREAM_PRICES[route.model] ?? [], at);
            if (!price) throw new Error('no price');
            return (
              (FOLLOW_UP_TOKENS.input * price.input + FOLLOW_UP_TOKENS.output * price.output) / 1_000_000
            );
          }),
        );
        const isPayable = areFollowUpsPayable(model, model.cost ?? 0, chain, at);
        expect(isPayable).toBe(dearest <= earnedOf(model, model.cost ?? 0) / 100);
        payable += isPayable ? 1 : 0;
      }
    }
  }
  expect(payable).toBeGreaterThan(0);
});

test.each([
  [
    'gemini-2.5-flash-lite',
    [
      'parley-pro',
      'parley-flash',
      'gemini-2.5-pro',
      'gemini-2.5-flash',
      'gemini-computer-use',
      'gemini-3.1-flash-image',
    ],
  ],
  ['parley-flash', ['parley-pro', 'gemini-3.1-flash-image']],
  ['parley-pro', []],
] as const)('%s writes them after answers of %j', (writer, models) => {
  const chain = chains[writer] ?? [];
  const served = sold.filter((model) => areFollowUpsPayable(model, model.cost ?? 0, chain, NOW));
  expect(served.map(({ id }) => id)).toEqual(models);
});

test('a price that is not known is too dear, one that the operator says counts', () => {
  const [model] = sold;
  if (!model) throw new Error('no model');
  const routeAt = (each: number) => ({ prices: [{ from: '2026-01-01', input: each, output: each }] });
  expect(areFollowUpsPayable(model, 20, [{ prices: [] }], NOW)).toBe(false);
  expect(areFollowUpsPayable(model, 20, [routeAt(0)], NOW)).toBe(true);
  expect(areFollowUpsPayable(model, 20, [], NOW)).toBe(false);
  expect(areFollowUpsPayable(model, 0, [routeAt(1)], NOW)).toBe(false);
});

test.each([
  ['A one?\nB two?\nC three?\nD four?', true, ['A one?', 'B two?', 'C three?']],
  ['1. A?\n2) B?\n3、“C？”', true, ['A?', 'B?', 'C？']],
  ['“周报”怎样写？\nWhat is “it”?\n“A”还是“B”？', true, ['“周报”怎样写？', 'What is “it”?', '“A”还是“B”？']],
  ['- **A?**\n\n* B?\n', true, ['A?', 'B?']],
  ['A?\nA?\nWhy?', true, ['A?']],
  ['A?\nB is cut o', false, ['A?']],
  [`${'x'.repeat(121)}\n。。。\n\u202Eok?`, true, ['ok?']],
  ['', true, []],
])('of %j come %j', (written, isWhole, questions) => {
  expect(followUpsFrom(written, isWhole, 'Why?')).toEqual(questions);
});
