import { expect, test } from 'vitest';
import { usageDays } from './group-usage.ts';

test('every day is there, with what all keys and models came to', () => {
  const row = { model: 'm', keyId: null, keyName: null };
  const rows = [
    { ...row, day: '2026-02-28', requests: 1, credits: 8 },
    { ...row, day: '2026-03-01', requests: 2, credits: 30 },
    { ...row, day: '2026-03-01', model: 'n', requests: 1, credits: 0 },
  ];
  expect(usageDays(rows, '2026-02-27', '2026-03-01')).toEqual([
    { day: '2026-02-27', requests: 0, credits: 0 },
    { day: '2026-02-28', requests: 1, credits: 8 },
    { day: '2026-03-01', requests: 3, credits: 30 },
  ]);
});
