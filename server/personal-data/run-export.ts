import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ZipFile } from 'yazl';
import { DAY_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { readUsage } from '#server/files/uploads/read-usage.ts';
import { backoffMs } from '#server/platform/jobs/worker.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import { composeArchive } from './compose-archive.ts';
import type { ArchiveFile } from './compose-uploads.ts';
import { findRecipient } from './deletion-queue-store.ts';
import {
  deleteTriedChunks,
  type ExportRow,
  insertChunk,
  leaseExports,
  markFailed,
  markReady,
} from './export-store.ts';

/** How long an export may take from one stored piece to the next; then another attempt takes it over. */
const LEASE_MS = 120_000;
/** The driver holds a statement several times over while it is sent. */
const CHUNK_BYTES = 64 * 1024;
/** Pieces that are deleted in one statement. */
export const CHUNKS_AT_ONCE = 500;
/** Bytes beside the user's files: more than anybody can have typed. What is larger fails rather than filling the disk. */
const MAX_BYTES_BESIDE_FILES = 4 * 1024 ** 3;
const EXPORT_KEPT_MS = 7 * DAY_MS;
/** Added together, their names share memory; the ZIP keeps each of them until its end. */
const FILES_AHEAD = 200;
const MAX_TRIES = 5;
const FIRST_RETRY_MS = 10_000;
const MAX_RETRY_MS = 600_000;

type ExportDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'providers' | 'storages'>;

/** Another attempt would write as much and fail in the same way. */
class TooLargeError extends Error {}

/** Takes exports that are due. */
export function leaseExport(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  limit: number,
): Promise<ExportRow[]> {
  return leaseExports(database.sql, clock.now(), LEASE_MS, limit);
}

/**
 * Makes the ZIP of an export and keeps it in pieces, in place of the user's former ones; a mail informs the user. After a crash the
 * next attempt begins anew. One that has more than `maxBytes` beside the user's files is given up.
 */
export async function runExport(
  deps: ExportDeps,
  wanted: ExportRow,
  maxBytes: number = MAX_BYTES_BESIDE_FILES,
): Promise<void> {
  const { database, clock, log } = deps;
  try {
    await deleteTried(deps, wanted);
    const files = await readUsage(deps, wanted.userId);
    const size = await writeChunks(deps, wanted, files.bytes + maxBytes);
    if (size !== null) await finish(deps, wanted, size);
  } catch (err) {
    const { id, tries } = wanted;
    log.warn({ err, exportId: id, tries }, 'an export of personal data failed');
    const at = clock.now();
    const pause = backoffMs(tries, FIRST_RETRY_MS, MAX_RETRY_MS);
    const isRepeated = tries < MAX_TRIES && !(err instanceof TooLargeError);
    const until = isRepeated ? new Date(at.getTime() + pause) : null;
    await markFailed(database.sql, wanted, { until, at, error: String(err) });
    await deleteTried(deps, wanted);
  }
}

async function deleteTried({ database }: Pick<Deps, 'database'>, wanted: ExportRow): Promise<void> {
  while ((await deleteTriedChunks(database.sql, wanted, CHUNKS_AT_ONCE)) === CHUNKS_AT_ONCE);
}

/** Returns the bytes written; null when another process has taken the export over, or it is gone with its user. */
async function writeChunks(deps: ExportDeps, wanted: ExportRow, maxBytes: number): Promise<number | null> {
  const { sql } = deps.database;
  let size = 0;
  let number = 0;
  let waiting: Buffer[] = [];
  const keep = () => {
    const bytes = Buffer.concat(waiting);
    waiting = [];
    const leaseUntil = new Date(deps.clock.now().getTime() + LEASE_MS);
    number += 1;
    return insertChunk(sql, wanted, { number: number - 1, bytes }, leaseUntil);
  };
  let length = 0;
  for await (const piece of zip(composeArchive(deps, wanted.userId, wanted.language), wanted.requestedAt)) {
    size += piece.length;
    if (size > maxBytes) throw new TooLargeError(`an export is larger than ${maxBytes} bytes`);
    waiting.push(piece);
    length += piece.length;
    if (length < CHUNK_BYTES) continue;
    length = 0;
    if (!(await keep())) return null;
  }
  return (await keep()) ? size : null;
}

/** The bytes of a ZIP with the files, a ZIP64 beyond 4 GiB. Each is listed and read only when the reader has taken what comes before it. */
async function* zip(files: AsyncIterable<ArchiveFile>, mtime: Date): AsyncGenerator<Buffer> {
  const { ZipFile } = await import('yazl');
  const archive = new ZipFile();
  const output = archive.outputStream as Readable;
  const reading = new AbortController();
  const fail = (error: Error) => output.destroy(error);
  archive.on('error', fail);
  addFiles(files, (name, pieces) => addFile(archive, name, { pieces, mtime, signal: reading.signal }))
    .then(() => archive.end())
    .catch(fail);
  try {
    yield* output;
  } finally {
    reading.abort();
  }
}

/** Adds the files, `FILES_AHEAD` at most before the first of them are written. */
async function addFiles(
  files: AsyncIterable<ArchiveFile>,
  add: (name: string, pieces: ArchiveFile['pieces']) => Promise<void>,
): Promise<void> {
  let added: Promise<void>[] = [];
  for await (const { name, pieces } of files) {
    added.push(add(name, pieces));
    if (added.length < FILES_AHEAD) continue;
    await Promise.all(added);
    added = [];
  }
}

interface FileSource extends Pick<ArchiveFile, 'pieces'> {
  mtime: Date;
  /** Ends the reading. */
  signal: AbortSignal;
}

/** Resolves once the file is read; what cannot be read is an error of the archive. */
function addFile(archive: ZipFile, name: string, { pieces, mtime, signal }: FileSource): Promise<void> {
  return new Promise((resolve) => {
    archive.addReadStreamLazy(name, { mtime }, (give) => {
      const stream = Readable.from(pieces, { objectMode: false, signal });
      finished(stream).then(resolve, (error) => archive.emit('error', error));
      give(null, stream);
    });
  });
}

async function finish(deps: ExportDeps, wanted: ExportRow, size: number): Promise<void> {
  const at = deps.clock.now();
  await deps.database.sql.begin(async (tx) => {
    const result = { size, at, expiresAt: new Date(at.getTime() + EXPORT_KEPT_MS) };
    const user = await findRecipient(tx, wanted.userId);
    if (!(await markReady(tx, wanted, result)) || !user?.email) return;
    await enqueueMail(tx, deps, {
      key: `export_ready:${wanted.id}`,
      template: 'export_ready',
      to: user.email,
      language: user.language,
      params: {},
    });
  });
}
