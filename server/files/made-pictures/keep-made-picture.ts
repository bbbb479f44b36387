import { createHash } from 'node:crypto';
import { MEGABYTE } from '#contract/limits.ts';
import type { BaseDeps } from '#server/base-deps.ts';
import { cleanName } from '#server/platform/clean-text.ts';
import { isConflict } from '#server/platform/database/database-errors.ts';
import { FairSlots } from '#server/platform/fair-slots.ts';
import { newId } from '#server/platform/ids.ts';
import { READERS_AT_ONCE, readInSlot } from '../ingest/read-in-slot.ts';
import { FileFault, READING_LIMITS } from '../reading/reading-rules.ts';
import { recogniseType } from '../reading/recognise-type.ts';
import { insertChunks } from '../state/chunk-store.ts';
import { keepStored } from '../state/keep-stored.ts';
import { findConversationOfRunning, insertMadeFile, lockRunning } from './made-store.ts';

/** A made picture at most, in bytes: twice the largest that a model was seen to make. */
const MAX_MADE = 32 * MEGABYTE;
const MAX_NAME = 80;

/** What a picture may be, and how its name ends. */
const ENDINGS: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };

/** Pictures that are looked through at once, each in a process of its own. */
const readers = new FairSlots(READERS_AT_ONCE);

export type MadeDeps = Pick<BaseDeps, 'database' | 'storages' | 'clock' | 'log' | 'metrics'>;

export interface MadePicture {
  userId: string;
  /** The message that is being answered. */
  messageId: string;
  /** As they came: nothing is believed of them, and they are kept as they are. */
  bytes: Buffer;
  /** Without an ending. */
  name: string;
  /** Whether later turns of the conversation read it, at the price of a file; false for what is there to be looked at. */
  everyTurn: boolean;
}

/** What an answer has to know of its picture. */
export interface StoredPicture {
  fileId: string;
  /** MIME type, found in its bytes. */
  type: string;
  /** Pixels, upright. */
  width: number;
  height: number;
}

/**
 * Keeps a picture that was made for an answer (by a model, a plot or a screenshot) as a file of the answer's conversation. It counts
 * for the user's storage and is kept also where that is full. What no part of the answer names when the message ends is deleted
 * with that end (`end_message`, `interrupt_messages`), and all of it with the message. Null: the message does not run any more. Throws a
 * `FileFault` for what is no PNG, JPEG or WebP, or beyond the limits of a picture; the signal's reason when that ends the wait.
 */
export async function keepMadePicture(
  deps: MadeDeps,
  { userId, messageId, bytes, name, everyTurn }: MadePicture,
  signal: AbortSignal,
): Promise<StoredPicture | null> {
  const { type, tokens, width, height, thumbnail } = await lookThrough(deps, userId, bytes, signal);
  const conversationId = await findConversationOfRunning(deps.database.sql, userId, messageId);
  if (conversationId === undefined) return null;
  const storage = deps.storages.current;
  const file = {
    id: newId(),
    userId,
    conversationId,
    messageId,
    bytes: bytes.length,
    type,
    tokens,
    width,
    height,
    name: `${nameOf(name)}.${ENDINGS[type]}`,
    sha256: createHash('sha256').update(bytes).digest(),
    storage: storage.kind,
    everyTurn,
    createdAt: deps.clock.now(),
  };
  const content = await storage.put(file.id, bytes);
  const small = await deps.storages.of('database').put(file.id, thumbnail);
  const row = await keepStored(deps, storage.kind, content, async (tx) => {
    const inserted = await insertMadeFile(tx, file);
    await insertChunks(tx, file.id, 'content', 0, content);
    await insertChunks(tx, file.id, 'thumbnail', 0, small);
    if (!(await lockRunning(tx, messageId))) throw new MessageEnded();
    return inserted;
  }).catch((error) => {
    if (error instanceof MessageEnded || isConflict(error)) return null;
    throw error;
  });
  if (!row) return null;
  return { fileId: file.id, type, width, height };
}

class MessageEnded extends Error {}

async function lookThrough(deps: MadeDeps, userId: string, bytes: Buffer, signal: AbortSignal) {
  if (!ENDINGS[recogniseType(bytes)]) throw new FileFault('file_type_unsupported');
  const limits = { ...READING_LIMITS, bytes: MAX_MADE };
  const found = await readInSlot(deps, readers, { userId, bytes, limits }, signal);
  const { type, tokens, width, height, thumbnail } = found;
  if (width === null || height === null || thumbnail === null) throw new FileFault('file_unreadable');
  return { type, tokens, width, height, thumbnail };
}

/** One line that a file system takes; `picture` where nothing is left. */
function nameOf(name: string): string {
  const clean = cleanName(name.replace(/[/\\]/g, ' ')).replace(/\.+$/, '');
  return [...clean].slice(0, MAX_NAME).join('').trim() || 'picture';
}
