import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { describe, expect, it } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { createEmptyDatabase, migrateTo } from '#test/database/old-database.ts';
import { readTexts } from '#test/database/schema-texts.ts';
import { describeSchema } from './describe-schema.ts';

const FOLDER = join(import.meta.dirname, '../../server/db');
const written = readFileSync(join(FOLDER, 'schema.sql'), 'utf8');

const describing = (sql: Sql): Promise<string> => sql.begin(describeSchema);

describe.for([18, 15] as const)('on PostgreSQL %i', (version) => {
  it('schema.sql is what a new database has (else: npm run schema)', async () => {
    const test = await createTestDatabase({ version });
    expect(await describing(test.database.sql)).toBe(written);
    await test.drop();
  });

  it.for(['0000', '0025'])(
    'a database of migration %s comes to the same schema and functions',
    async (last) => {
      const [fresh, old] = await Promise.all([
        createTestDatabase({ version }),
        createEmptyDatabase({ version }),
      ]);
      await migrateTo(old.database.sql, last);
      await migrate(old.url);
      expect(await describing(old.database.sql)).toBe(written);
      expect(await readTexts(old.database.sql)).toEqual(await readTexts(fresh.database.sql));
      await Promise.all([fresh.drop(), old.drop()]);
    },
  );
});

it('every function, view and trigger of the database stands in one file of functions', async () => {
  const test = await createTestDatabase();
  const inFiles = globSync(join(FOLDER, 'functions/*.sql')).flatMap((path) =>
    [
      ...readFileSync(path, 'utf8').matchAll(
        /^ *CREATE (?:OR REPLACE (?:FUNCTION|VIEW|TRIGGER)|CONSTRAINT TRIGGER) (?:(?:credit|billing)\.)?(\w+)/gm,
      ),
    ].map(([, name]) => name),
  );
  const { sql } = test.database;
  const rows = await sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace in ('public'::regnamespace, 'credit'::regnamespace, 'billing'::regnamespace)
    union all select relname from pg_class where relkind = 'v' and relnamespace in ('public'::regnamespace, 'credit'::regnamespace, 'billing'::regnamespace)
    union all select tgname from pg_trigger where not tgisinternal`;
  expect(inFiles.sort()).toEqual(rows.map(({ name }) => name).sort());
  await test.drop();
});
