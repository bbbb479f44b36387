import type { Executor } from '#server/platform/database/database.ts';

/** A table with a schema, quoted where needed, and its columns as they are created, without those that are computed. */
export interface TableShape {
  name: string;
  /** The columns as a statement lists them. */
  columns: string;
  /** Names and types, to compare two databases. */
  shape: string;
}

export interface SequenceState {
  name: string;
  /** Null: it gave no number yet. */
  last: string | null;
}

const OURS = ['public', 'credit', 'billing'];
/** What the program itself keeps of its own version in each database. */
const OWN_VERSION = ['schema_migrations', 'schema_functions'];

/** The tables that are to be copied: those whose rows outlive a crash of PostgreSQL. An unlogged one holds what is to be in no copy. */
export function selectTables(sql: Executor): Promise<TableShape[]> {
  return sql<TableShape[]>`
    select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attname) as columns,
           string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attname) as shape
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace::regnamespace::text = any (${OURS})
       and c.relname <> all (${OWN_VERSION}) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.oid order by 1`;
}

/** Statements that take every foreign key away, and that bring each back as it was. */
export function selectForeignKeys(sql: Executor) {
  return sql<{ drop: string; add: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
      from pg_constraint where contype = 'f' and connamespace::regnamespace::text = any (${OURS}) order by oid`;
}

export function selectSequences(sql: Executor): Promise<SequenceState[]> {
  return sql<SequenceState[]>`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
      from pg_sequences where schemaname = any (${OURS}) order by 1`;
}

export async function setSequence(sql: Executor, name: string, last: string | null): Promise<void> {
  if (last !== null) await sql`select setval(${name}::regclass, ${last}::bigint)`;
}

export async function countRows(sql: Executor, table: string): Promise<number> {
  const [row] = await sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${table}`);
  return row?.count ?? 0;
}

/** False also where there is no table of them. */
export async function hasUsers(sql: Executor): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`select to_regclass('public.users') is not null as exists`;
  return row?.exists === true && (await sql`select from users limit 1`).count > 0;
}
