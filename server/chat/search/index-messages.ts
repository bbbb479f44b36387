import { setImmediate as breathe } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import type { Jobs } from '#server/platform/jobs/jobs.ts';
import {
  endFilling,
  insertIndexed,
  insertTexts,
  listUnindexed,
  lockFilling,
  type Place,
  queuedMessages,
  SEARCHED,
  type SearchedText,
  takeQueued,
  type Unindexed,
} from './search-store.ts';
import { foldText, slotsOfText } from './slot-rules.ts';

const AT_ONCE = 50;
const FILL_MS = 60_000;

/** Begins making messages searchable. */
export function startIndexing({ database }: Pick<Deps, 'database'>, jobs: Jobs): void {
  jobs.whenDue(
    'making messages searchable',
    () => queuedMessages(database.sql),
    () => indexMessages({ database }),
  );
  jobs.repeat('indexing the texts of users with many', FILL_MS, () => fillSearchIndex({ database }));
}

/**
 * Makes the messages that ended since the last time searchable; safe on several processes at once, and a process that dies
 * in it leaves them in the queue.
 */
export async function indexMessages({ database }: Pick<Deps, 'database'>): Promise<void> {
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    count = await database.sql.begin(async (sql) => {
      const taken = await takeQueued(sql, AT_ONCE);
      const texts: SearchedText[] = [];
      for (const message of taken.messages) {
        texts.push(readText(message));
        await breathe();
      }
      if (texts.length > 0) {
        const wanted = new Set(await insertTexts(sql, texts));
        await indexTexts(
          sql,
          texts.filter(({ id }) => wanted.has(id)),
        );
      }
      return taken.count;
    });
  }
}

/**
 * Puts the texts of users who came to have many into the index; safe on several processes at once. Until all of a user's texts
 * are there, search reads them one by one. A text that is stored meanwhile is put there by who stores it, so that one walk is enough.
 */
export async function fillSearchIndex({ database }: Pick<Deps, 'database'>): Promise<void> {
  for (let walk: Walk | null = { userId: null, before: null }; walk; ) {
    const begun: Walk = walk;
    walk = await database.sql.begin((sql) => fillSome(sql, begun));
  }
}

/** Whose texts are put into the index, null: of the next user; and how far that is. */
interface Walk {
  userId: string | null;
  before: Place | null;
}

/** Null: no user is left. */
async function fillSome(sql: Executor, { userId: filled, before }: Walk): Promise<Walk | null> {
  const userId = await lockFilling(sql, filled);
  if (userId === null) return filled === null ? null : { userId: null, before: null };
  const { texts, reached } = await listUnindexed(sql, userId, { before, limit: AT_ONCE });
  await indexTexts(sql, texts);
  if (reached) return { userId, before: reached };
  await endFilling(sql, userId);
  return { userId: null, before: null };
}

async function indexTexts(sql: Executor, texts: SearchedText[]): Promise<void> {
  if (texts.length === 0) return;
  const indexed = [];
  for (const { id, body } of texts) {
    indexed.push({ id, slots: slotsOfText(body) });
    await breathe();
  }
  await insertIndexed(sql, indexed);
}

function readText({ id, content, fileNames, response }: Unindexed): SearchedText {
  const said = `${content} ${fileNames} ${response}`.slice(0, SEARCHED).toWellFormed();
  const body = foldText(said).replace(/\s+/g, ' ');
  return { id, body };
}
