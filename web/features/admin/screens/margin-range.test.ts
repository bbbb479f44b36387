import { expect, it } from 'vitest';
import { areDays, marginQuery } from './margin-range.tsx';

it.each([
  ['', '?days=30'],
  ['days=7&users=paid', '?days=7&users=paid'],
  ['days=custom&from=2026-11-01&to=2026-11-09', '?from=2026-11-01&to=2026-11-09'],
  ['days=1&from=2026-11-01', '?days=1'],
  ['days=custom', '?'],
])('a margin screen at “%s” asks for “%s”', (address, asked) => {
  expect(marginQuery(new URLSearchParams(address))).toBe(asked);
});

it.each([
  ['2026-11-01', '2026-11-01', true],
  ['2025-11-02', '2026-11-02', true],
  ['2025-11-01', '2026-11-02', false],
  ['2026-11-02', '2026-11-01', false],
  ['2026-11-02', '', true],
])('the days from “%s” to “%s” can be asked for: %s', (from, to, areFine) => {
  expect(areDays(from, to)).toBe(areFine);
});
