import { expect, it } from 'vitest';
import { Environment } from './platform/environment.ts';
import { readDatabaseSettings } from './read-database-settings.ts';

const POOLED = { DATABASE_URL: 'postgres://pooler/x', DATABASE_DIRECT_URL: 'postgres://db/x' };

function read(values: Record<string, string>) {
  const env = new Environment(values);
  const settings = readDatabaseSettings(env);
  env.refuseProblems();
  return settings;
}

it('without any there is the embedded PostgreSQL, where statements are prepared', () => {
  expect(read({})).toEqual({
    databaseUrl: null,
    databaseDirectUrl: null,
    databasePoolSize: 10,
    databasePreparedStatements: true,
  });
});

it('through a pooler no statement is prepared unless it is said', () => {
  expect(read(POOLED)).toMatchObject({
    databaseUrl: 'postgres://pooler/x',
    databaseDirectUrl: 'postgres://db/x',
    databasePreparedStatements: false,
  });
  expect(read({ ...POOLED, DATABASE_PREPARED_STATEMENTS: 'on' }).databasePreparedStatements).toBe(true);
  expect(read({ DATABASE_PREPARED_STATEMENTS: 'off' }).databasePreparedStatements).toBe(false);
});

it('PostgreSQL behind a pooler is refused where no pooler is named', () => {
  expect(() => read({ DATABASE_DIRECT_URL: 'postgres://db/x' })).toThrow('DATABASE_DIRECT_URL');
});

it.each([
  ['DATABASE_DIRECT_URL', 'mysql://db/x'],
  ['DATABASE_PREPARED_STATEMENTS', 'maybe'],
])('%s may not be %s', (name, value) => {
  expect(() => read({ ...POOLED, [name]: value })).toThrow(name);
});
