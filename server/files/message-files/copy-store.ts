import type { Executor } from '#server/platform/database/database.ts';

/** A copy of a file that a provider keeps for a project of ours. */
export interface FileCopy {
  fileId: string;
  project: string;
  /** How the provider names it, to delete it. */
  name: string;
  /** How a request names it. */
  uri: string;
  expiresAt: Date;
}

export interface NewCopy extends FileCopy {
  /** SHA-256 of the content that was copied, in hex. */
  sha256: string;
}

/** The copies of files in a project that last until `until` at least. */
export function selectCopies(
  sql: Executor,
  project: string,
  fileIds: readonly string[],
  until: Date,
): Promise<FileCopy[]> {
  return sql<FileCopy[]>`
    select file_id as "fileId", project, name, uri, expires_at as "expiresAt" from file_copies
     where project = ${project} and file_id = any(${fileIds as string[]}::uuid[]) and expires_at > ${until}`;
}

/** Has a copy deleted at `at`, unless `upsertCopy` keeps it before. */
export async function insertCopyRemoval(
  sql: Executor,
  { project, name }: Pick<FileCopy, 'project' | 'name'>,
  at: Date,
): Promise<void> {
  await sql`
    insert into file_removals (kind, project, target, next_try_at) values ('copy', ${project}, ${name}, ${at})`;
}

/** Keeps a copy in place of an older one. False: its file is gone or another one has the id, and the copy waits to be deleted. */
export async function upsertCopy(sql: Executor, copy: NewCopy): Promise<boolean> {
  const { fileId, sha256, project, name, uri, expiresAt } = copy;
  const rows = await sql<{ kept: boolean }[]>`
    with file as (select id from files where id = ${fileId} and sha256 = decode(${sha256}, 'hex') for key share),
         kept as (insert into file_copies as c (file_id, project, name, uri, expires_at)
                  select id, ${project}, ${name}, ${uri}, ${expiresAt} from file
                  on conflict (file_id, project) do update set name = excluded.name, uri = excluded.uri,
                    expires_at = excluded.expires_at
                  returning c.file_id),
         needed as (delete from file_removals where kind = 'copy' and project = ${project} and target = ${name}),
         lost as (insert into file_removals (kind, project, target, next_try_at)
                  select 'copy', ${project}, ${name}, '-infinity' where not exists (select from file))
    select exists (select from kept) as kept`;
  return rows[0]?.kept ?? false;
}
