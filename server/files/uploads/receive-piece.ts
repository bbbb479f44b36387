import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';
import { WAITING_TOPIC } from '../ingest/run-reading.ts';
import { insertChunks } from '../state/chunk-store.ts';
import type { FileRow } from '../state/file-store.ts';
import { keepStored } from '../state/keep-stored.ts';
import { readOwnFile } from '../state/read-own-file.ts';
import { mostPieces } from './upload-rules.ts';
import { advanceUpload, countPieces, lockUserStorage } from './upload-store.ts';

/** On its way to its storage a piece takes several times its size, so that few are; the others wait as they came. */
const WRITES_AT_ONCE = 4;
/** Longer than a storage may take. */
const WRITE_WAIT_MS = 40_000;

const writers = new FairSlots(WRITES_AT_ONCE);

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
 * that was sent again, `too_many_uploads` where it came in more pieces than a file of its size may, and `unavailable` where too many are
 * written; nothing is kept then.
 */
export async function receivePiece(
  deps: ReceiveDeps,
  userId: string,
  id: string,
  { offset, readPiece }: { offset: number; readPiece: () => Promise<Buffer> },
): Promise<FileRow> {
  const found = await readOwnFile(deps, userId, id);
  if (found.state !== 'uploading' || found.received !== offset) throw new UploadConflict(found.received);
  if ((await countPieces(deps.database.sql, id)) >= mostPieces(found.bytes))
    throw new AppError('too_many_uploads');
  const bytes = await readPiece();
  const { length } = bytes;
  if (length === 0) return found;
  if (offset + length > found.bytes) throw new UploadConflict(offset);
  const release = await writers.take(userId, AbortSignal.timeout(WRITE_WAIT_MS)).catch((cause) => {
    throw new AppError('unavailable', {}, { cause });
  });
  const file = await write(deps, found, offset, bytes).finally(release);
  if (!file) throw new UploadConflict((await readOwnFile(deps, userId, id)).received);
  if (file.state === 'reading') deps.bus.publish(WAITING_TOPIC, {});
  return file;
}

/** Keeps a piece behind the first `offset` bytes; null where it is not the next one any more. */
async function write(
  deps: ReceiveDeps,
  { id, userId, storage, bytes: size }: FileRow,
  offset: number,
  bytes: Buffer,
): Promise<FileRow | null> {
  const { length } = bytes;
  const chunks = await deps.storages.of(storage).put(id, bytes);
  return keepStored(deps, storage, chunks, async (tx) => {
    // The last piece takes a place among readings, which files that are complete at the same moment must not share.
    if (offset + length === size) await lockUserStorage(tx, userId);
    const advanced = await advanceUpload(tx, userId, id, { offset, length, at: deps.clock.now() });
    if (advanced) await insertChunks(tx, id, 'content', offset, chunks);
    return advanced;
  });
}
