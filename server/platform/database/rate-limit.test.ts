import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { clearRateLimit, clearRateLimits, deleteOldRateLimits, takeRateLimit } from './rate-limit.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const sql = () => database.database.sql;
const age = (key: string, seconds: number) =>
  sql()`update rate_limits set started_at = started_at - ${seconds} * interval '1 second' where key = ${key}`;

it('a key is taken as often as the limit says, however many take it at once', async () => {
  const limit = { max: 7, windowSeconds: 60 };
  const waits = await Promise.all(
    Array.from({ length: 50 }, () => takeRateLimit(sql(), 'many', limit, null)),
  );
  expect(waits.filter((wait) => wait === 0)).toHaveLength(7);
  expect(waits.every((wait) => wait >= 0 && wait <= 60)).toBe(true);
});

it('a window ends at its time, and not later because somebody kept trying', async () => {
  const limit = { max: 1, windowSeconds: 60 };
  expect(await takeRateLimit(sql(), 'window', limit, null)).toBe(0);
  await age('window', 40);
  const wait = await takeRateLimit(sql(), 'window', limit, null);
  expect(wait).toBeGreaterThan(15);
  expect(wait).toBeLessThanOrEqual(20);
  await age('window', 20);
  expect(await takeRateLimit(sql(), 'window', limit, null)).toBe(0);
  expect(await takeRateLimit(sql(), 'window', limit, null)).toBe(60);
});

it('a cleared key begins anew, and others are untouched', async () => {
  const limit = { max: 1, windowSeconds: 60 };
  for (const key of ['one', 'two']) await takeRateLimit(sql(), key, limit, null);
  await clearRateLimit(sql(), 'one');
  expect(await takeRateLimit(sql(), 'one', limit, null)).toBe(0);
  expect(await takeRateLimit(sql(), 'two', limit, null)).toBeGreaterThan(0);
});

it('counts older than a day are deleted', async () => {
  await takeRateLimit(sql(), 'old', { max: 1, windowSeconds: 60 }, null);
  await takeRateLimit(sql(), 'young', { max: 1, windowSeconds: 60 }, null);
  await age('old', 90_000);
  await deleteOldRateLimits(sql(), null);
  const keys = await sql()<{ key: string }[]>`select key from rate_limits where key in ('old', 'young')`;
  expect(keys.map(({ key }) => key)).toEqual(['young']);
});

it('goes by the clock that it is given', async () => {
  const limit = { max: 1, windowSeconds: 60 };
  const day = Date.UTC(2031, 0, 31);
  const take = (ms: number) => takeRateLimit(sql(), 'moved', limit, new Date(day + ms));
  expect([await take(0), await take(1_000), await take(59_000)]).toEqual([0, 59, 1]);
  expect([await take(60_000), await take(60_001)]).toEqual([0, 60]);
  const count = async () => (await sql()`select from rate_limits where key = 'moved'`).count;
  await deleteOldRateLimits(sql(), new Date(day + 86_400_000));
  expect(await count()).toBe(1);
  await deleteOldRateLimits(sql(), new Date(day + 86_400_000 + 120_000));
  expect(await count()).toBe(0);
});

it('keys that differ only after hundreds of characters are counted apart, and cleared apart', async () => {
  const limit = { max: 1, windowSeconds: 60 };
  const keys = ['a', 'b'].map((end) => `sign-in:${'x'.repeat(400)}${end}`) as [string, string];
  for (const key of keys) {
    expect(await takeRateLimit(sql(), key, limit, null)).toBe(0);
    expect(await takeRateLimit(sql(), `${key}:network:2001:db8::1`, limit, null)).toBe(0);
    expect(await takeRateLimit(sql(), `${key}:network:2001:db8::2`, limit, null)).toBe(0);
  }
  await clearRateLimits(sql(), keys[0]);
  const again = keys.flatMap((key) => [key, `${key}:network:2001:db8::1`]);
  const waits = await Promise.all(again.map((key) => takeRateLimit(sql(), key, limit, null)));
  expect(waits.map((wait) => wait > 0)).toEqual([false, false, true, true]);
});
