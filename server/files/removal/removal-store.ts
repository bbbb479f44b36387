import type { Executor, Fragment } from '#server/platform/database/database.ts';

/** What lies outside and must be deleted. */
export interface Removal {
  id: string;
  kind: 'objects' | 'copy';
  /** The project in which a provider keeps a copy; null for objects. */
  project: string | null;
  /** The beginning of the names of objects, or the provider's name of a copy. */
  target: string;
  tries: number;
}

/** Removals of a kind that are due. */
export function dueRemovals(sql: Executor, kind: Removal['kind'], at: Date): Fragment {
  return sql`from file_removals where kind = ${kind} and next_try_at <= ${at} order by next_try_at`;
}

/** Takes at most `limit` removals that are due; they are due again after `leaseMs` unless they are done. */
export function leaseRemovals(
  sql: Executor,
  kind: Removal['kind'],
  { at, leaseMs, limit }: { at: Date; leaseMs: number; limit: number },
): Promise<Removal[]> {
  const until = new Date(at.getTime() + leaseMs);
  return sql<Removal[]>`
    update file_removals r set next_try_at = ${until}, tries = r.tries + 1
      from (select id ${dueRemovals(sql, kind, at)} limit ${limit} for update skip locked) due
     where r.id = due.id
    returning r.id::text, r.kind, r.project, r.target, r.tries`;
}

export async function deleteRemoval(sql: Executor, id: string): Promise<void> {
  await sql`delete from file_removals where id = ${id}`;
}

/** Records that it failed, why, and when it is tried again. */
export async function postponeRemoval(
  sql: Executor,
  id: string,
  { until, error }: { until: Date; error: string },
): Promise<void> {
  await sql`update file_removals set next_try_at = ${until}, error = ${error.slice(0, 500)} where id = ${id}`;
}

/** Which of the objects, by name, are pieces of files. */
export async function selectKnownObjects(sql: Executor, names: readonly string[]): Promise<Set<string>> {
  const files = [...new Set(names.map((name) => name.split('/')[0] ?? ''))];
  const rows = await sql<{ object: string }[]>`
    select object from file_chunks where file_id = any(${files}::uuid[]) and object is not null`;
  return new Set(rows.map(({ object }) => object));
}
