import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import type { Database, Executor } from '#server/platform/database/database.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import {
  countTexts,
  deleteReadTexts,
  endStoring,
  insertIndexed,
  insertTexts,
  listMessages,
  lockStoring,
  nextStored,
  type Place,
  queuedMessages,
  type SearchedText,
  selectIndexed,
  selectSaid,
  takeQueued,
} from './search-store.ts';
import { foldMessage, slotsOfText } from './slot-rules.ts';

const AT_ONCE = 50;
const LISTED = 1_000;
const FILL_MS = MINUTE_MS;
const CLEAR_MS = HOUR_MS;
/** Users whose stored texts are deleted in one go. */
const MAX_CLEARED = 10_000;

/** Begins making messages searchable. */
export function startIndexing({ database }: Pick<Deps, 'database'>, jobs: Jobs): void {
  jobs.whenDue(
    'making messages searchable',
    () => queuedMessages(database.sql),
    () => indexMessages({ database }),
  );
  jobs.repeat('indexing the texts of users with many', FILL_MS, () => fillSearchIndex({ database }));
  let isCleared = false;
  jobs.repeat('deleting texts that are read from their messages', CLEAR_MS, async () => {
    // Servers of the version before, which read them, are gone by then.
    if (!isCleared && process.uptime() * 1_000 >= CLEAR_MS) isCleared = await clearReadTexts({ database });
  });
}

/**
 * Makes the messages that ended since the last time searchable: those of users with many, as all others are read. Safe on several
 * processes at once, and a process that dies in it leaves them in the queue.
 */
export async function indexMessages({ database }: Pick<Deps, 'database'>): Promise<void> {
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    count = await database.sql.begin(async (sql) => {
      const taken = await takeQueued(sql, AT_ONCE);
      if (taken.length > 0) await storeTexts(sql, await countTexts(sql, taken));
      return taken.length;
    });
  }
}

/**
 * Stores and indexes the texts of users who came to have many; safe on several processes at once. Until all of a user's texts
 * are there, search reads the messages. A message that ends meanwhile is stored by who takes it off the queue, so that one walk
 * is enough.
 */
export async function fillSearchIndex({ database }: Pick<Deps, 'database'>): Promise<void> {
  const { sql } = database;
  for (let userId = await lockStoring(sql, null); userId; userId = await lockStoring(sql, null)) {
    if (!(await fillUser(sql, userId))) return;
  }
}

/** False: another process has the user. */
async function fillUser(sql: Database['sql'], userId: string): Promise<boolean> {
  let before: Place | null = null;
  do {
    const listed = await listMessages(sql, userId, { before, limit: LISTED });
    for (let at = 0; at < listed.length; at += AT_ONCE) {
      const ids = listed.slice(at, at + AT_ONCE).map(({ messageId }) => messageId);
      if (!(await sql.begin((tx) => fillSome(tx, userId, ids)))) return false;
    }
    const last = listed.length < LISTED ? undefined : listed.at(-1);
    before = last ? { micros: last.place, id: last.messageId } : null;
  } while (before);
  await endStoring(sql, userId);
  return true;
}

async function fillSome(sql: Executor, userId: string, ids: string[]): Promise<boolean> {
  if ((await lockStoring(sql, userId)) === null) return false;
  const indexed = new Set(await selectIndexed(sql, ids));
  await storeTexts(
    sql,
    ids.filter((id) => !indexed.has(id)),
  );
  return true;
}

/** Deletes the texts that a former version stored of users whose messages are read now, of so many users. False: there may be more. */
export async function clearReadTexts({ database }: Pick<Deps, 'database'>): Promise<boolean> {
  let cleared = 0;
  for (let userId = await nextStored(database.sql, null); userId && cleared < MAX_CLEARED; ) {
    const stored = userId;
    const began = performance.now();
    if ((await database.sql.begin((sql) => deleteReadTexts(sql, stored))) > 0) cleared += 1;
    await sleep(performance.now() - began);
    userId = await nextStored(database.sql, stored);
  }
  return cleared < MAX_CLEARED;
}

/** Stores and indexes the texts of some messages. */
async function storeTexts(sql: Executor, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const texts: SearchedText[] = [];
  for (const { id, said } of await selectSaid(sql, ids)) {
    texts.push({ id, body: foldMessage(said) });
    await breathe();
  }
  if (texts.length === 0) return;
  await insertTexts(sql, texts);
  await indexTexts(sql, texts);
}

async function indexTexts(sql: Executor, texts: SearchedText[]): Promise<void> {
  const indexed = [];
  for (const { id, body } of texts) {
    indexed.push({ id, slots: slotsOfText(body) });
    await breathe();
  }
  await insertIndexed(sql, indexed);
}
