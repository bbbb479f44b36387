import type { Sql } from 'postgres';

/** The text of every function, view and trigger of a database. */
export async function readTexts(sql: Sql): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select pg_get_functiondef(oid) as text from pg_proc
     where pronamespace in ('public'::regnamespace, 'credit'::regnamespace, 'billing'::regnamespace)
    union all
    select oid::regclass || pg_get_viewdef(oid) from pg_class
     where relkind = 'v' and relnamespace in ('public'::regnamespace, 'credit'::regnamespace, 'billing'::regnamespace)
    union all
    select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     order by text`;
  return rows.map(({ text }) => text);
}
