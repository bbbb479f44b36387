import { expect, it } from 'vitest';
import { plainDetails } from './plain-details.ts';

it('the details of an act are its amount, its days and who agreed, without the act as it was sent', () => {
  const act = { act: 'grant', userId: 'u', credits: 500, days: 90 };
  expect(plainDetails({ act, credits: 500, agreedBy: 'bob' })).toEqual([
    ['credits', 500],
    ['agreedBy', 'bob'],
    ['days', 90],
  ]);
  expect(plainDetails({})).toEqual([]);
  expect(plainDetails({ act: { act: 'replay', inboxId: '1' } })).toEqual([]);
});
