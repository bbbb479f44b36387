import { pipeline } from 'node:stream/promises';
import type { Sql, TransactionSql } from 'postgres';
import { isMigrated, migrate } from '#server/db/migrate.ts';
import { connectPostgres } from '#server/platform/database/database.ts';
import {
  countRows,
  hasUsers,
  selectForeignKeys,
  selectSequences,
  selectTables,
  setSequence,
  type TableShape,
} from './move-store.ts';

/** A table and how many rows of it were copied. */
export interface MovedTable {
  table: string;
  rows: number;
}

/**
 * Copies all that the database at `from` holds to the one at `to`, in one transaction: it has all of it afterwards, or nothing.
 * Nobody may write to `from` meanwhile; it stays as it is. Throws, with what to do, when it is of another version than this program,
 * when there are users at `to`, or when what arrived is not what was sent.
 */
export async function moveDatabase(from: string, to: string): Promise<MovedTable[]> {
  const source = connect(from);
  const target = connect(to);
  try {
    if (!(await isMigrated(source)))
      throw new Error(
        '数据库还不是这个版本的结构，请先启动一次服务，再停止它。\nThe database is not of this version yet: start the server once, and stop it.',
      );
    await migrate(to);
    if (await hasUsers(target))
      throw new Error(
        '目标数据库里已经有用户，不会覆盖。请换一个空的数据库。\nThe other database has users already, and is left alone. Take an empty one.',
      );
    const moved = await source.begin('isolation level repeatable read read only', (reading) =>
      target.begin((writing) => copyAll(reading, writing)),
    );
    await target`analyze`;
    return moved;
  } finally {
    await Promise.all([source.end({ timeout: 5 }), target.end({ timeout: 5 })]);
  }
}

function connect(url: string): Sql {
  return connectPostgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
}

/** Without foreign keys and triggers, which would ask for an order and book again what was booked; they are back at the end. */
async function copyAll(reading: TransactionSql, writing: TransactionSql): Promise<MovedTable[]> {
  const tables = await requireSameTables(reading, writing);
  const foreignKeys = await selectForeignKeys(writing);
  for (const { drop } of foreignKeys) await writing.unsafe(drop);
  for (const { name } of tables) await writing.unsafe(`alter table ${name} disable trigger user`);
  await writing.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  const moved: MovedTable[] = [];
  for (const table of tables) moved.push(await copyTable(reading, writing, table));
  for (const { name, last } of await selectSequences(reading)) await setSequence(writing, name, last);
  for (const { name } of tables) await writing.unsafe(`alter table ${name} enable trigger user`);
  for (const { add } of foreignKeys) await writing.unsafe(add);
  return moved;
}

async function requireSameTables(reading: TransactionSql, writing: TransactionSql): Promise<TableShape[]> {
  const [tables, others] = [await selectTables(reading), await selectTables(writing)];
  const shapes = (list: readonly TableShape[]) =>
    list.map(({ name, shape }) => `${name} ${shape}`).join('\n');
  if (shapes(tables) !== shapes(others))
    throw new Error(
      '两个数据库的结构不同，请用同一版本的程序各启动一次。\nThe two databases have different tables: start the server of one version once on each.',
    );
  return tables;
}

/** In PostgreSQL's own binary form, so that no value is read or written by us. */
async function copyTable(
  reading: TransactionSql,
  writing: TransactionSql,
  { name, columns }: TableShape,
): Promise<MovedTable> {
  const out = await reading.unsafe(`copy ${name} (${columns}) to stdout (format binary)`).readable();
  const into = await writing.unsafe(`copy ${name} (${columns}) from stdin (format binary)`).writable();
  await pipeline(out, into);
  const [sent, arrived] = [await countRows(reading, name), await countRows(writing, name)];
  if (sent !== arrived) throw new Error(`${name}: ${arrived} / ${sent}`);
  return { table: name, rows: arrived };
}
