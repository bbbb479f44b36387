import type { Readable } from 'node:stream';
import type { Sql } from 'postgres';
import { isMigrated } from '#server/db/migrate.ts';
import { countRows, selectSequences, selectTables } from './copy-store.ts';
import type { DatabaseCopy } from './restore-tables.ts';

/**
 * Reads all that a database holds, as it was at one moment, while others go on writing, and gives it to `use`. Throws when it is of
 * another version than this program.
 */
export async function readCopy<T>(source: Sql, use: (copy: DatabaseCopy) => Promise<T>): Promise<T> {
  if (!(await isMigrated(source)))
    throw new Error(
      '数据库还不是这个版本的结构，请先启动一次服务。\nThe database is not of this version yet: start the server once.',
    );
  const read = source.begin('isolation level repeatable read read only', async (tx) => {
    const tables = [];
    for (const table of await selectTables(tx))
      tables.push({ ...table, rows: await countRows(tx, table.name) });
    return use({
      tables,
      sequences: await selectSequences(tx),
      open: ({ name, columns }): Promise<Readable> =>
        tx.unsafe(`copy ${name} (${columns}) to stdout (format binary)`).readable(),
    });
  });
  return read as Promise<T>;
}
