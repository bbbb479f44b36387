import type { Executor } from '#server/platform/database/database.ts';

const MAX_DEPTH = 400;

/** A file that a message named or its user kept of its answer, or a picture that was made for that. */
export interface NamedFile {
  id: string;
  isMade: boolean;
}

/** The files of the message `id` of the user and its ancestors, as they were named first, oldest message first. */
export async function selectNamedFiles(sql: Executor, userId: string, id: string): Promise<NamedFile[]> {
  const rows = await sql<NamedFile[]>`
    with recursive path as (
      select m.id, m.parent_id, m.input, m.output, m.status, 1 as depth from messages m where m.id = ${id} and m.user_id = ${userId}
      union all
      select m.id, m.parent_id, m.input, m.output, m.status, p.depth + 1 from path p join messages m on m.id = p.parent_id
       where m.user_id = ${userId} and p.depth < ${MAX_DEPTH})
    select part ->> 'fileId' as id, "isMade"
      from path cross join lateral (
        select part, n, false as "isMade" from jsonb_array_elements(path.input -> 'parts') with ordinality as asked (part, n)
        union all
        select part, n, true from jsonb_array_elements(path.output -> 'parts') with ordinality as made (part, n)
         where part ->> 'kind' = 'image' and path.status in ('completed', 'stopped')
        union all
        select jsonb_build_object('fileId', f.id), row_number() over (order by f.id), false from files f
         where f.kept_of = path.id and f.user_id = ${userId}) named
     where part ? 'fileId'
     order by path.depth desc, "isMade", n`;
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
}
