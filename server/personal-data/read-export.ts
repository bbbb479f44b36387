import type { Actor } from '#server/accounts/sessions/authenticate.ts';
import { requireConfirmed } from '#server/accounts/sessions/require-confirmed.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type ExportRow, findChunk, findReadyExport } from './export-store.ts';

export interface ExportFile {
  requestedAt: Date;
  /** Bytes. */
  size: number;
  /** The file piece by piece; the next is read when the one before was taken. */
  pieces: AsyncGenerator<Uint8Array>;
}

/**
 * A finished export of the caller, to be taken with a fresh proof as it was asked for (decision 21): it may have been asked for a
 * week ago, in another browser. Throws `not_found` for another's, and for one that is not ready or over, and `confirmation_required`.
 */
export async function readExport(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<ExportFile> {
  const found = await findReadyExport(database.sql, actor.userId, id, clock.now());
  if (!found) throw new AppError('not_found');
  await requireConfirmed({ database, clock }, actor);
  const { requestedAt, size } = found;
  return { requestedAt, size: size ?? 0, pieces: readPieces(database, found) };
}

async function* readPieces({ sql }: Deps['database'], found: ExportRow): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number += 1) {
    const bytes = await findChunk(sql, found, number);
    if (!bytes) return;
    yield bytes;
  }
}
