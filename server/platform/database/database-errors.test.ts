import { expect, it } from 'vitest';
import { isConnectionLost, isDatabaseAway } from './database-errors.ts';

const withCode = (code: string) => Object.assign(new Error('a failed statement'), { code });

it.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  '25006',
  '57P03',
])('a statement that fails with %s is repeated, and its user is told to come again', (code) => {
  expect(isConnectionLost(withCode(code))).toBe(true);
  expect(isDatabaseAway(withCode(code))).toBe(true);
});

it.each(['ENOTFOUND', '53100'])(
  'one that fails with %s is not repeated, and its user is told to come again',
  (code) => {
    expect(isConnectionLost(withCode(code))).toBe(false);
    expect(isDatabaseAway(withCode(code))).toBe(true);
  },
);

it.each(['23505', '22P02', 'XX000'])('one that fails with %s is neither', (code) => {
  expect(isConnectionLost(withCode(code))).toBe(false);
  expect(isDatabaseAway(withCode(code))).toBe(false);
});
