import { connectPostgres } from './database.ts';

interface Place {
  database: string;
  since: string;
  timeout: string;
}

/**
 * Whether the pooler at `url` has its connections end statements that take too long. Throws, with what to do, when it cannot be
 * reached or leads to another database than `directUrl`: processes would get no news of each other.
 */
export async function checkPooler(url: string, directUrl: string): Promise<{ hasTimeout: boolean }> {
  const [pooled, direct] = await Promise.all([
    readPlace(url, 'DATABASE_URL'),
    readPlace(directUrl, 'DATABASE_DIRECT_URL'),
  ]);
  if (pooled?.database !== direct?.database || pooled?.since !== direct?.since)
    throw new Error(
      'DATABASE_URL 和 DATABASE_DIRECT_URL 指向不同的数据库。DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.',
    );
  return { hasTimeout: pooled?.timeout !== '0' };
}

async function readPlace(url: string, setting: string): Promise<Place | undefined> {
  const sql = connectPostgres(url, { max: 1, connect_timeout: 10, prepare: false, fetch_types: false });
  try {
    const [place] = await sql<Place[]>`
      select current_database() as database, pg_postmaster_start_time()::text as since,
             current_setting('statement_timeout') as timeout`;
    return place;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `连不上数据库（${reason}），请检查 ${setting}。The database cannot be reached (${reason}); check ${setting}.`,
      { cause: error },
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
}
