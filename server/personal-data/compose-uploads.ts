import { dayOf } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { listAllFiles } from '#server/files/message-files/list-conversation-files.ts';
import { exportContent } from '#server/files/state/read-content.ts';
import { findPicture } from './export-store.ts';

/** Longest name of a file that Linux and macOS can store, in bytes of UTF-8: one that is longer ends some unpackers. */
const MAX_NAME_BYTES = 255;

/** One file of an archive; it is read when its turn has come. */
export interface ArchiveFile {
  name: string;
  pieces: AsyncIterable<string | Uint8Array> | Iterable<Uint8Array>;
}

/** What the user uploaded, as it is stored: the picture, and the files. */
export async function* composeUploads(
  deps: Pick<Deps, 'database' | 'storages'>,
  userId: string,
): AsyncGenerator<ArchiveFile> {
  const picture = await findPicture(deps.database.sql, userId);
  if (picture) yield { name: 'picture.webp', pieces: [picture] };
  for await (const file of listAllFiles(deps, userId))
    yield { name: pathOf(file), pieces: exportContent(deps, file) };
}

/** What is known of each of the files, and where it is in the archive. */
export async function* listUploads(deps: Pick<Deps, 'database'>, userId: string): AsyncGenerator<unknown> {
  for await (const file of listAllFiles(deps, userId)) {
    const { id, name, conversationId, type, bytes, sha256, createdAt } = file;
    yield {
      id,
      name,
      path: pathOf(file),
      conversationId,
      type,
      bytes,
      sha256,
      createdAt: createdAt.getTime(),
    };
  }
}

/** Where a file is in the archive; two of one name are two files. A name that is too long keeps its ending. */
export function pathOf({ id, name, createdAt }: { id: string; name: string; createdAt: Date }): string {
  const ending = /\.[^.\s]{1,10}$/u.exec(name)?.[0] ?? '';
  const stem = [...`${dayOf(createdAt)} ${id.slice(-8)} ${name.slice(0, name.length - ending.length)}`];
  while (Buffer.byteLength(stem.join('') + ending) > MAX_NAME_BYTES) stem.pop();
  return `files/${stem.join('')}${ending}`;
}
