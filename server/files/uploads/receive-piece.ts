import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { insertPieces } from '../state/chunk-store.ts';
import type { FileRow } from '../state/file-store.ts';
import { publishFile, WAITING_TOPIC } from '../state/publish-file.ts';
import { readOwnFile } from '../state/read-own-file.ts';
import type { StoredPiece } from '../storage/file-storage.ts';
import { advanceUpload } from './upload-store.ts';

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
  if (bytes.length === 0) return found;
  if (offset + bytes.length > found.bytes) throw new UploadConflict(offset);
  const storage = deps.storages.of(found.storage);
  const pieces = await storage.put(id, bytes);
  const file = await keepPieces(deps, found, offset, pieces).catch(async (error) => {
    await discard(deps, found, pieces);
    throw error;
  });
  if (!file) {
    await discard(deps, found, pieces);
    throw new UploadConflict((await readOwnFile(deps, userId, id)).received);
  }
  if (file.state === 'reading') {
    publishFile(deps.bus, file);
    deps.bus.publish(WAITING_TOPIC, {});
  }
  return file;
}

function keepPieces(
  { database, clock }: ReceiveDeps,
  { id, userId }: FileRow,
  offset: number,
  pieces: readonly StoredPiece[],
): Promise<FileRow | null> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return database.sql.begin(async (tx) => {
    const file = await advanceUpload(tx, userId, id, { offset, length, at: clock.now() });
    if (file) await insertPieces(tx, id, 'content', offset, pieces);
    return file;
  });
}

/** What did not become part of the file; what fails here is found by the sweep. */
async function discard({ storages, log }: ReceiveDeps, { storage }: FileRow, pieces: readonly StoredPiece[]) {
  for (const { object } of pieces) {
    if (object === null) continue;
    await storages
      .of(storage)
      .delete(object)
      .catch((err) => log.warn({ err, object }, 'an object of a refused piece stays until the sweep'));
  }
}
