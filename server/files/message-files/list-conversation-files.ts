import { z } from 'zod';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type FileRow, filePlaceSchema, selectConversationFiles, selectFiles } from '../state/file-store.ts';

const AT_ONCE = 100;
const PAGE = 200;

/** `GET /api/conversations/{id}/files`. */
export const filesQuery = z.looseObject({ cursor: filePlaceSchema.optional() });

/** A page of the files of a conversation. */
export interface ConversationFiles {
  files: FileRow[];
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

/**
 * At most 200 files of a conversation of the user, oldest first: named by its messages, made for its answers, kept.
 * @param cursor the `nextCursor` of the page before (a `filePlaceSchema`); null for the first page
 * @throws AppError `not_found`
 */
export async function listConversationFiles(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  conversationId: string,
  cursor: string | null,
): Promise<ConversationFiles> {
  const page = { after: cursor, limit: PAGE + 1 };
  const found = await selectConversationFiles(database.sql, userId, conversationId, page);
  if (!found) throw new AppError('not_found');
  const files = found.slice(0, PAGE);
  return { files, nextCursor: found.length > PAGE ? (files.at(-1)?.place ?? null) : null };
}

/** All files of a conversation of the user, oldest first. Throws `not_found`. */
export async function* listAllConversationFiles(
  deps: Pick<Deps, 'database'>,
  userId: string,
  conversationId: string,
): AsyncGenerator<FileRow> {
  let cursor: string | null = null;
  do {
    const page: ConversationFiles = await listConversationFiles(deps, userId, conversationId, cursor);
    yield* page.files;
    cursor = page.nextCursor;
  } while (cursor);
}

/** All files of the user that were read, or could not be, by id. */
export async function* listAllFiles(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): AsyncGenerator<FileRow> {
  for (let after: string | null = null; ; ) {
    const page: FileRow[] = await selectFiles(database.sql, userId, { after, limit: AT_ONCE });
    yield* page;
    if (page.length < AT_ONCE) return;
    after = page.at(-1)?.id ?? null;
  }
}
