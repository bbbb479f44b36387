import { expect, test } from 'vitest';
import type { CatalogueModel } from '#contract/catalogue.ts';
import type { Message } from '#contract/chat.ts';
import { mayCost, optionsFor } from './answer-options.ts';
import { extrasOf, mayCostLess, priceAgain } from './extra-cost.ts';

function model(able: Partial<CatalogueModel>): CatalogueModel {
  return {
    cost: 15,
    efforts: ['low', 'high'],
    tools: { search: true, code: true, addresses: true },
    pictures: null,
    ...able,
  } as CatalogueModel;
}

const WRITER = model({});
const PLAIN = model({ cost: 8, efforts: [], tools: { search: false, code: false, addresses: false } });
const PAINTER = model({
  cost: 20,
  pictures: { ratios: ['16:9', '1:1'], sizes: ['1K', '2K'], prices: { '1K': 20, '2K': 40, '4K': 70 } },
});

test('only what a model can do goes to it', () => {
  const chosen = {
    search: 'auto',
    code: true,
    effort: 'high',
    picture: { ratio: '16:9', size: '2K' },
  } as const;
  expect(optionsFor(WRITER, chosen)).toEqual({ search: 'auto', code: true, effort: 'high' });
  expect(optionsFor(PLAIN, chosen)).toBeUndefined();
  expect(optionsFor(PAINTER, chosen)).toEqual({ picture: { ratio: '16:9', size: '2K' } });
  expect(optionsFor(undefined, chosen)).toBeUndefined();
  expect(optionsFor(WRITER, { effort: 'medium' })).toBeUndefined();
});

test('what is off is not sent, and a text alone stays one', () => {
  expect(optionsFor(WRITER, { search: 'off', code: false })).toBeUndefined();
  expect(optionsFor(WRITER, {})).toBeUndefined();
});

test.each([
  [30, 4, 12],
  [30, 20, 20],
  [10, 10, 10],
  [10, 4, 12],
])(
  '%i steps that were chosen go as the menu shows them where a price covers %i: %i',
  (chosen, covered, sent) => {
    const driver = model({ computer: 'browser', coveredSteps: covered });
    expect(optionsFor(driver, { computer: { steps: chosen } })).toEqual({ computer: { steps: sent } });
  },
);

test('a picture has the shape that its model finds and the smallest size until others are chosen that it can make', () => {
  expect(optionsFor(PAINTER, {})).toEqual({ picture: { size: '1K' } });
  expect(optionsFor(PAINTER, { picture: { ratio: '9:16', size: '4K' } })).toEqual({
    picture: { size: '1K' },
  });
});

test('a price is asked for where something may cost more', () => {
  expect(mayCost({ search: 'auto' })).toBe(true);
  expect(mayCost({ picture: { size: '1K' } })).toBe(true);
  expect(mayCost({ code: true, effort: 'high' })).toBe(false);
  expect(mayCost(undefined)).toBe(false);
});

test('the same question again costs another model only what that can do', () => {
  const message = {
    options: { search: 'always', code: true },
    quote: {
      max: 34,
      lines: [
        { kind: 'message', max: 15, params: {} },
        { kind: 'files', max: 4, params: {} },
        { kind: 'search', max: 15, params: {} },
      ],
    },
  } as unknown as Message;
  expect(priceAgain(message, WRITER)).toBe(34);
  expect(priceAgain(message, PLAIN)).toBe(12);
  expect(priceAgain(message, PAINTER)).toBe(24);
  expect(priceAgain(message, model({ cost: null }))).toBeNull();
  expect(mayCostLess(message, WRITER)).toBe(true);
  expect(mayCostLess(message, PAINTER)).toBe(false);
  expect(extrasOf(message, WRITER)).toEqual({ options: { search: 'always', code: true } });
  expect(extrasOf(message, PLAIN)).toEqual({});
});

test('the same picture again costs what one of its size costs, and a writer is not asked for one', () => {
  const message = {
    options: { picture: { size: '2K' } },
    quote: { max: 40, lines: [{ kind: 'picture', max: 40, params: {} }] },
  } as unknown as Message;
  expect(priceAgain(message, PAINTER)).toBe(40);
  expect(mayCostLess(message, PAINTER)).toBe(false);
  expect(priceAgain(message, WRITER)).toBe(15);
  expect(extrasOf(message, WRITER)).toEqual({});
});

test('a browser run again costs the steps that were chosen, and searches by itself', () => {
  const driver = model({ computer: 'browser', coveredSteps: 10 });
  const message = (steps?: number) =>
    ({
      computer: 'browser',
      options: { search: 'always', ...(steps ? { computer: { steps } } : {}) },
      // Ten more steps were allowed while it ran.
      quote: {
        max: 30,
        lines: [
          { kind: 'message', max: 15, params: {} },
          { kind: 'computer', max: 15, params: {} },
        ],
      },
    }) as unknown as Message;
  expect(priceAgain(message(), driver)).toBe(15);
  expect(priceAgain(message(20), driver)).toBe(30);
  expect(priceAgain(message(20), PLAIN)).toBe(8);
  expect(priceAgain(message(), WRITER)).toBe(15);
  expect(extrasOf(message(20), driver)).toEqual({ options: { computer: { steps: 20 } } });
  expect(extrasOf(message(20), WRITER)).toEqual({});
});
