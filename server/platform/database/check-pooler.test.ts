import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { checkPooler } from './check-pooler.ts';

let home: TestDatabase;
let other: TestDatabase;

beforeAll(async () => {
  [home, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(async () => {
  await Promise.all([home.drop(), other.drop()]);
});

it('says whether statements that take too long are ended', async () => {
  expect(await checkPooler(home.url, home.url)).toEqual({ hasTimeout: false });
  const name = new URL(home.url).pathname.slice(1);
  await home.database.sql.unsafe(`alter database ${name} set statement_timeout = '30s'`);
  expect(await checkPooler(home.url, home.url)).toEqual({ hasTimeout: true });
});

it('refuses two databases, in both languages', async () => {
  await expect(checkPooler(home.url, other.url)).rejects.toThrow(
    /指向不同的数据库.*lead to different databases/,
  );
});

it('refuses an address where no database is, and names its setting', async () => {
  const nowhere = 'postgres://nobody@127.0.0.1:9/none';
  await expect(checkPooler(nowhere, home.url)).rejects.toThrow(/check DATABASE_URL\./);
  await expect(checkPooler(home.url, nowhere)).rejects.toThrow(/check DATABASE_DIRECT_URL\./);
});
