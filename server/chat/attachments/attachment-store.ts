import type { Executor } from '#server/platform/database/database.ts';

const MAX_DEPTH = 400;

/** The files that the message `id` of the user and its ancestors named, as they were named first, oldest message first. */
export async function selectNamedFiles(sql: Executor, userId: string, id: string): Promise<string[]> {
  const rows = await sql<{ fileId: string }[]>`
    with recursive path as (
      select m.parent_id, m.input, 1 as depth from messages m where m.id = ${id} and m.user_id = ${userId}
      union all
      select m.parent_id, m.input, p.depth + 1 from path p join messages m on m.id = p.parent_id
       where m.user_id = ${userId} and p.depth < ${MAX_DEPTH})
    select part ->> 'fileId' as "fileId"
      from path cross join jsonb_array_elements(path.input -> 'parts') with ordinality as named (part, n)
     where path.input ? 'parts' and part ? 'fileId'
     order by path.depth desc, n`;
  return [...new Set(rows.map(({ fileId }) => fileId))];
}
