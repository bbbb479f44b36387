import type { Executor } from '#server/platform/database/database.ts';

export interface Column {
  name: string;
  type: string;
  isNullable: boolean;
  isIdentity: boolean;
}

/** A primary key, a unique constraint or a unique index. */
export interface Key {
  name: string;
  /** Its columns; expressions of an index are not among them. */
  columns: string[];
  hasExpression: boolean;
}

export interface ForeignKey {
  name: string;
  columns: string[];
  target: string;
  targetColumns: string[];
  /** `a` no action, `r` restrict, `c` cascade, `n` set null, `d` set default. */
  onDelete: string;
}

export interface Table {
  /** With its schema. */
  name: string;
  columns: Column[];
  keys: Key[];
  foreignKeys: ForeignKey[];
  triggers: { name: string; routine: string }[];
}

export interface Routine {
  /** With its schema and the types of its arguments. */
  id: string;
  /** With its schema. */
  name: string;
  isTrigger: boolean;
  argumentNames: string[];
  body: string;
  /** Where names without a schema are looked for, in this order. */
  path: string[];
}

export interface Relations {
  tables: Table[];
  routines: Routine[];
}

type OfTable<T> = T & { table: string };

/** Reads tables, keys, foreign keys, triggers and functions from the catalogue of a migrated database. `sql` is one transaction. */
export async function readRelations(sql: Executor): Promise<Relations> {
  // Without a path PostgreSQL names every schema.
  await sql`set local search_path = ''`;
  const names = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
     where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'credit', 'billing') order by 1`;
  const columns = await readColumns(sql);
  const keys = await readKeys(sql);
  const foreignKeys = await readForeignKeys(sql);
  const triggers = await sql<OfTable<{ name: string; routine: string }>[]>`
    select tgrelid::regclass::text as table, tgname as name, tgfoid::regprocedure::text as routine
      from pg_trigger where not tgisinternal order by tgname`;
  const tables = names.map(({ name }) => ({
    name,
    columns: columns.filter(({ table }) => table === name),
    keys: keys.filter(({ table }) => table === name),
    foreignKeys: foreignKeys.filter(({ table }) => table === name),
    triggers: triggers.filter(({ table }) => table === name),
  }));
  return { tables, routines: await readRoutines(sql) };
}

function readColumns(sql: Executor) {
  return sql<OfTable<Column>[]>`
    select attrelid::regclass::text as table, attname as name, format_type(atttypid, atttypmod) as type,
           not attnotnull as "isNullable", attidentity <> '' as "isIdentity"
      from pg_attribute join pg_class c on c.oid = attrelid
     where c.relkind in ('r', 'p') and attnum > 0 and not attisdropped order by attrelid, attnum`;
}

/** Constraints have an index too: what is unique is all in `pg_index`. */
function readKeys(sql: Executor) {
  return sql<OfTable<Key>[]>`
    select i.indrelid::regclass::text as table, c.relname as name, 0 = any (i.indkey::int2[]) as "hasExpression",
           array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k (number, place)
                   join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
                  where k.place <= i.indnkeyatts order by k.place) as columns
      from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indisunique order by not i.indisprimary, c.relname`;
}

function readForeignKeys(sql: Executor) {
  return sql<OfTable<ForeignKey>[]>`
    select k.conrelid::regclass::text as table, k.conname as name, k.confrelid::regclass::text as target,
           k.confdeltype::text as "onDelete", n.columns, t.columns as "targetColumns"
      from pg_constraint k
      cross join lateral (
        select array_agg(a.attname::text order by u.place) as columns from unnest(k.conkey) with ordinality u (number, place)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number) n
      cross join lateral (
        select array_agg(a.attname::text order by u.place) as columns from unnest(k.confkey) with ordinality u (number, place)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number) t
     where k.contype = 'f' order by k.conname`;
}

function readRoutines(sql: Executor) {
  return sql<Routine[]>`
    select p.oid::regprocedure::text as id, n.nspname || '.' || p.proname as name, p.prosrc as body,
           p.prorettype = 'trigger'::regtype as "isTrigger", coalesce(p.proargnames, '{}') as "argumentNames",
           case when p.proconfig::text like '%search_path%' then array[n.nspname::text, 'public'] else array['public'] end as path
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('public', 'credit', 'billing')
       and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')
     order by 1`;
}
