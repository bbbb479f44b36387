import { createHash } from 'node:crypto';
import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { isConflict } from '#server/platform/database/database-errors.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';
import { newId } from '#server/platform/ids.ts';
import { READERS_AT_ONCE, readInSlotWithin } from '../ingest/read-in-slot.ts';
import { FileFault, READING_LIMITS, type ReadingResult } from '../reading/reading-rules.ts';
import { insertChunks } from '../state/chunk-store.ts';
import { keepStored } from '../state/keep-stored.ts';
import { readQuota, requireAllowedSize, requireQuota } from '../state/require-quota.ts';
import { findConversationOf, insertKept, type KeptFile, selectKept } from './kept-store.ts';
import { cleanFileName } from './upload-rules.ts';
import { lockUserStorage } from './upload-store.ts';

const WAIT_MS = MINUTE_MS;

/** Kept files that are read at once, each in a process of its own, by turns between users. */
const readers = new FairSlots(READERS_AT_ONCE);

export type { KeptFile };

export type KeepDeps = Pick<Deps, 'config' | 'database' | 'storages' | 'clock' | 'log' | 'metrics'>;

export interface FileToKeep {
  userId: string;
  /** The message whose browser showed it. */
  messageId: string;
  /** Names it among all that the browser showed: it becomes one file, however often it is kept. */
  keptKey: string;
  name: string;
  /** As they came: nothing is believed of them. */
  bytes: Buffer;
}

/**
 * Keeps what a browser showed as a file of its conversation, by the rules of an upload: the same limits, read in a process of its
 * own, its type found in its bytes. No turn reads it until its user says so. Throws `file_empty`, `file_too_large`,
 * `file_storage_full`, and what else is wrong with the file; `unavailable` where too many are read, and `not_found` where the message
 * was deleted meanwhile.
 */
export async function keepFile(deps: KeepDeps, { name: given, ...file }: FileToKeep): Promise<KeptFile> {
  const { database, storages, clock } = deps;
  const name = cleanFileName(given);
  const { userId, messageId, keptKey, bytes } = file;
  requireAllowedSize(deps.config, { name, bytes: bytes.length });
  const quota = await readQuota(deps, userId);
  await requireQuota(database.sql, userId, bytes.length, quota);
  const { content, thumbnail, text, ...found } = await read(deps, file, name);
  const stored = content ?? bytes;
  const row = {
    ...found,
    id: newId(),
    userId,
    messageId,
    keptKey,
    name,
    bytes: stored.length,
    storage: storages.current.kind,
    hasThumbnail: thumbnail !== null,
    createdAt: clock.now(),
    sha256: createHash('sha256').update(stored).digest(),
  };
  const own = storages.of('database');
  const sections = {
    content: await storages.current.put(row.id, stored),
    thumbnail: await own.put(row.id, thumbnail ?? Buffer.alloc(0)),
    text: await own.put(row.id, Buffer.from(text)),
  };
  const kept = await keepStored(deps, row.storage, sections.content, async (tx) => {
    await lockUserStorage(tx, userId);
    await requireQuota(tx, userId, Math.max(row.bytes, Buffer.byteLength(text)), quota);
    const conversationId = await findConversationOf(tx, userId, messageId);
    if (conversationId === null) throw new AppError('not_found');
    const inserted = await insertKept(tx, { ...row, conversationId });
    if (!inserted) return null;
    for (const section of ['content', 'thumbnail', 'text'] as const)
      await insertChunks(tx, row.id, section, 0, sections[section]);
    return inserted;
  }).catch((error) => {
    throw isConflict(error) ? new AppError('not_found', {}, { cause: error }) : error;
  });
  if (kept) return kept;
  const before = await findKept(deps, userId, messageId, keptKey);
  if (!before) throw new AppError('conflict');
  return before;
}

/** The file that something of a message's browser was kept as; null where it was not. */
export async function findKept(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  messageId: string,
  keptKey: string,
): Promise<KeptFile | null> {
  const [row] = await selectKept(database.sql, userId, messageId, keptKey);
  return row ?? null;
}

/** All that the user kept of a message's browser, in no order. */
export function listKept(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  messageId: string,
): Promise<KeptFile[]> {
  return selectKept(database.sql, userId, messageId, null);
}

async function read(
  deps: KeepDeps,
  { userId, bytes }: Pick<FileToKeep, 'userId' | 'bytes'>,
  name: string,
): Promise<ReadingResult> {
  const limits = { ...READING_LIMITS, bytes: deps.config.files.limitBytes };
  try {
    return await readInSlotWithin(deps, readers, { userId, bytes, limits }, WAIT_MS);
  } catch (error) {
    if (error instanceof FileFault) throw new AppError(error.code, { name }, { cause: error });
    throw error;
  }
}
