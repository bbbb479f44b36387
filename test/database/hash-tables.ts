import type { Sql } from 'postgres';
import { selectTables } from '#server/admin/copies/copy-store.ts';

/** Each table of a database with a hash of all its rows. */
export async function hashTables(sql: Sql): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name } of await selectTables(sql)) {
    const [row] = await sql.unsafe(
      `select md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) as hash from ${name} t`,
    );
    hashes[name] = row?.hash;
  }
  return hashes;
}
