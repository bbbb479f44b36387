import { expect, it } from 'vitest';
import { plainDetails } from './plain-details.ts';

it('the details of an act are its amount, its days and who agreed, without the act as it was sent', () => {
  const act = { act: 'grant', userId: 'u', credits: 500, days: 90 };
  expect(plainDetails('grant', { act, credits: 500, agreedBy: 'bob' })).toEqual([
    ['credits', 500],
    ['agreedBy', 'bob'],
    ['days', 90],
  ]);
  expect(plainDetails('sign_out', {})).toEqual([]);
  expect(plainDetails('replay', { act: { act: 'replay', inboxId: '1' } })).toEqual([]);
});

it('credits that were taken are below zero, those that were given above', () => {
  expect(plainDetails('take', { act: { act: 'take', credits: 40 }, credits: 40 })).toEqual([
    ['credits', -40],
  ]);
  expect(plainDetails('grant', { credits: 40 })).toEqual([['credits', 40]]);
});

it('what was proposed or refused is told with its amount', () => {
  const take = { act: { act: 'take', userId: 'u', credits: 500 }, actId: '1' };
  expect(plainDetails('propose', take)).toEqual([
    ['proposed', 'take'],
    ['credits', -500],
    ['actId', '1'],
  ]);
  const price = { act: { act: 'set_price', model: 'm', cost: 12, from: '2026-12-01' } };
  expect(plainDetails('refuse', price)).toEqual([
    ['proposed', 'set_price'],
    ['price', '12 · 2026-12-01'],
  ]);
});
