import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sql, TransactionSql } from 'postgres';
import { migrate } from '#server/db/migrate.ts';
import type { Executor } from '#server/platform/database/database.ts';
import {
  countRows,
  hasUsers,
  type SequenceState,
  selectForeignKeys,
  selectTables,
  setSequence,
  type TableShape,
} from './copy-store.ts';

/** All that a database holds, table by table in PostgreSQL's binary form. */
export interface DatabaseCopy {
  tables: readonly (TableShape & { rows: number })[];
  sequences: readonly SequenceState[];
  /** The rows of a table, as `COPY … (FORMAT binary)` writes them. */
  open(table: TableShape): Promise<Readable>;
}

/** A table and how many rows of it were written. */
export interface RestoredTable {
  table: string;
  rows: number;
}

/**
 * Writes a copy into the database at `url`, whose connection is `target`, in one transaction: it has all of it afterwards, or
 * nothing. Throws, with what to do, when it has users, when its tables are others, or when what arrived is not what was sent.
 */
export async function restoreTables(target: Sql, url: string, copy: DatabaseCopy): Promise<RestoredTable[]> {
  await requireNoUsers(target);
  await migrate(url);
  const restored = await target.begin((tx) => writeAll(tx, copy));
  await target`analyze`;
  return restored;
}

/**
 * Without foreign keys and triggers, which would ask for an order and book again what was booked; they are back at the end. What
 * switches them off also keeps others from writing.
 */
async function writeAll(tx: TransactionSql, copy: DatabaseCopy): Promise<RestoredTable[]> {
  const tables = await selectTables(tx);
  requireSameTables(tables, copy.tables);
  const foreignKeys = await selectForeignKeys(tx);
  for (const { drop } of foreignKeys) await tx.unsafe(drop);
  for (const { name } of tables) await tx.unsafe(`alter table ${name} disable trigger user`);
  await requireNoUsers(tx);
  await tx.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  const sent = new Map(copy.tables.map((table) => [table.name, table.rows]));
  const restored: RestoredTable[] = [];
  for (const table of tables) {
    const { name, columns } = table;
    const into = await tx.unsafe(`copy ${name} (${columns}) from stdin (format binary)`).writable();
    await pipeline(await copy.open(table), into);
    const rows = await countRows(tx, name);
    if (rows !== sent.get(name)) throw new Error(`${name}: ${rows} / ${sent.get(name)}`);
    restored.push({ table: name, rows });
  }
  for (const { name, last } of copy.sequences) await setSequence(tx, name, last);
  for (const { name } of tables) await tx.unsafe(`alter table ${name} enable trigger user`);
  for (const { add } of foreignKeys) await tx.unsafe(add);
  return restored;
}

async function requireNoUsers(sql: Executor): Promise<void> {
  if (!(await hasUsers(sql))) return;
  throw new Error(
    '目标数据库里已经有用户，不会覆盖。请换一个空的数据库。\nThe database has users already, and is left alone. Take an empty one.',
  );
}

/** Whatever their order: each database sorts names by its own collation. */
function requireSameTables(tables: readonly TableShape[], others: readonly TableShape[]): void {
  const shapes = (list: readonly TableShape[]) =>
    list
      .map(({ name, shape }) => `${name} ${shape}`)
      .sort()
      .join('\n');
  if (shapes(tables) !== shapes(others))
    throw new Error(
      '两边的数据表不同：请用同一版本的程序。\nThe tables of the two are different: take one version of the program for both.',
    );
}
