import { expect, test } from 'vitest';
import { resolveChains, type UpstreamRoute } from '#server/catalogue/upstream-chains.ts';
import { createRetiredModels } from './retired-models.ts';

const chains = resolveChains({
  geminiBaseUrl: 'http://localhost',
  geminiApiKey: 'k',
  modelsFile: null,
  readVariable: () => undefined,
});

function chain(): [UpstreamRoute, UpstreamRoute] {
  const [first, second] = chains['gemini-2.5-pro'] ?? [];
  if (!first || !second) throw new Error('no chain of two');
  return [first, second];
}

test('a retired model is left out for ten minutes', () => {
  let now = 0;
  const retired = createRetiredModels(() => now);
  const [first, second] = chain();
  retired.mark(first);
  expect(retired.present([first, second])).toEqual([second]);
  now = 10 * 60_000;
  expect(retired.present([first, second])).toEqual([first, second]);
});

test('what is in trouble is left out for half a minute, while a fallback behind it is well', () => {
  let now = 0;
  const retired = createRetiredModels(() => now);
  const [first, other] = chain();
  const fallback = { ...first, fallback: true };
  retired.markTroubled(first);
  expect(retired.present([first, fallback, other])).toEqual([fallback, other]);
  expect(retired.present([first, other])).toEqual([first, other]);
  retired.markTroubled(fallback);
  expect(retired.present([first, fallback, other])).toEqual([first, fallback, other]);
  now = 30_000;
  expect(retired.present([first, fallback, other])).toEqual([first, fallback, other]);
});

test('a chain that is retired as a whole is tried as a whole', () => {
  const retired = createRetiredModels();
  const [first, second] = chain();
  retired.mark(first);
  retired.mark(second);
  expect(retired.present([first, second])).toEqual([first, second]);
});
