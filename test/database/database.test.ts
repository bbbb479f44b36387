import { describe, expect, it } from 'vitest';
import { createTestDatabase } from './database.ts';

describe.for([18, 15] as const)('a test database on PostgreSQL %i', (version) => {
  it('is a migrated database of its own', async () => {
    const [first, second] = await Promise.all([
      createTestDatabase({ version }),
      createTestDatabase({ version }),
    ]);
    const names = await Promise.all(
      [first, second].map(async ({ database }) => {
        const [row] = await database.sql`
          select current_database() as name, current_setting('server_version_num')::int / 10000 as version,
                 to_regclass('schema_migrations') is not null as migrated`;
        expect(row).toMatchObject({ version, migrated: true });
        return row?.name;
      }),
    );
    expect(new Set(names).size).toBe(2);
    await Promise.all([first.drop(), second.drop()]);
  });
});
