import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { insertChunks } from '../state/chunk-store.ts';
import type { FileRow } from '../state/file-store.ts';
import { keepStored } from '../state/keep-stored.ts';
import { publishFile, WAITING_TOPIC } from '../state/publish-file.ts';
import { readOwnFile } from '../state/read-own-file.ts';
import { advanceUpload, lockUserStorage } from './upload-store.ts';

export type ReceiveDeps = Pick<Deps, 'database' | 'clock' | 'bus' | 'storages' | 'log'>;

/** An `upload_conflict`, and where the upload is. */
export class UploadConflict extends AppError {
  readonly offset: number;

  constructor(offset: number) {
    super('upload_conflict');
    this.offset = offset;
  }
}

/**
 * Takes the bytes of a file that come after its first `offset`. `readPiece` is called once it is known that they are wanted, and
 * gives what came of them. Throws `not_found`, `UploadConflict` when they are not the next ones, as with a second tab or a request
 * that was sent again; nothing is kept then.
 */
export async function receivePiece(
  deps: ReceiveDeps,
  userId: string,
  id: string,
  { offset, readPiece }: { offset: number; readPiece: () => Promise<Buffer> },
): Promise<FileRow> {
  const found = await readOwnFile(deps, userId, id);
  if (found.state !== 'uploading' || found.received !== offset) throw new UploadConflict(found.received);
  const bytes = await readPiece();
  const { length } = bytes;
  if (length === 0) return found;
  if (offset + length > found.bytes) throw new UploadConflict(offset);
  const chunks = await deps.storages.of(found.storage).put(id, bytes);
  const file = await keepStored(deps, found.storage, chunks, async (tx) => {
    // The last piece takes a place among readings, which files that are complete at the same moment must not share.
    if (offset + length === found.bytes) await lockUserStorage(tx, userId);
    const advanced = await advanceUpload(tx, userId, id, { offset, length, at: deps.clock.now() });
    if (advanced) await insertChunks(tx, id, 'content', offset, chunks);
    return advanced;
  });
  if (!file) throw new UploadConflict((await readOwnFile(deps, userId, id)).received);
  if (file.state === 'reading') {
    publishFile(deps.bus, file);
    deps.bus.publish(WAITING_TOPIC, {});
  }
  return file;
}
