import { join } from 'node:path';
import type { Sql } from 'postgres';
import { connectPostgres } from '#server/platform/database/database.ts';
import { reachPostgres } from '#server/platform/postgres/reach-postgres.ts';
import { e2eFolder } from '../e2e-folder.ts';

/** Calls `plant` with the database of the product that the journeys run against, and the id of the user with this address. */
export async function plantForUser<T>(
  email: string,
  plant: (sql: Sql, userId: string) => Promise<T>,
): Promise<T> {
  const { url, close } = await reachPostgres(join(e2eFolder(), 'data'));
  const sql = connectPostgres(url, { max: 1 });
  try {
    const [user] = await sql<{ id: string }[]>`select id from users where email = ${email}`;
    if (!user) throw new Error(`nobody has the address ${email}`);
    return await plant(sql, user.id);
  } finally {
    await sql.end();
    await close();
  }
}
