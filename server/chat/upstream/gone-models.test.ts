import { expect, test } from 'vitest';
import { resolveModelRoutes, type UpstreamRoute } from '#server/catalogue/model-routes.ts';
import { createGoneModels } from './gone-models.ts';

const routes = resolveModelRoutes({
  geminiBaseUrl: 'http://localhost',
  geminiApiKey: 'k',
  modelsFile: null,
  readVariable: () => undefined,
});

function chain(): [UpstreamRoute, UpstreamRoute] {
  const [first, second] = routes['gemini-2.5-pro'] ?? [];
  if (!first || !second) throw new Error('no chain of two');
  return [first, second];
}

test('a gone model is left out for ten minutes', () => {
  let now = 0;
  const gone = createGoneModels(() => now);
  const [first, second] = chain();
  gone.mark(first);
  expect(gone.present([first, second])).toEqual([second]);
  now = 10 * 60_000;
  expect(gone.present([first, second])).toEqual([first, second]);
});

test('what is in trouble is left out for half a minute, while a standby behind it is well', () => {
  let now = 0;
  const gone = createGoneModels(() => now);
  const [first, other] = chain();
  const standby = { ...first, standby: true };
  gone.markTroubled(first);
  expect(gone.present([first, standby, other])).toEqual([standby, other]);
  expect(gone.present([first, other])).toEqual([first, other]);
  gone.markTroubled(standby);
  expect(gone.present([first, standby, other])).toEqual([first, standby, other]);
  now = 30_000;
  expect(gone.present([first, standby, other])).toEqual([first, standby, other]);
});

test('a chain that is gone as a whole is tried as a whole', () => {
  const gone = createGoneModels();
  const [first, second] = chain();
  gone.mark(first);
  gone.mark(second);
  expect(gone.present([first, second])).toEqual([first, second]);
});
