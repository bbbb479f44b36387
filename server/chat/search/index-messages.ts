import type { Deps } from '#server/deps.ts';
import { foldText } from './fold-text.ts';
import { insertTexts, SEARCHED, takeQueued, type Unindexed } from './search-store.ts';

const AT_ONCE = 50;

/**
 * Makes the messages that ended since the last time searchable; safe on several processes at once, and a process that dies
 * in it leaves them in the queue.
 */
export async function indexMessages({ database }: Pick<Deps, 'database'>): Promise<void> {
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    count = await database.sql.begin(async (sql) => {
      const taken = await takeQueued(sql, AT_ONCE);
      const texts = taken.messages.map((message) => ({ id: message.id, body: bodyOf(message) }));
      if (texts.length > 0) await insertTexts(sql, texts);
      return taken.count;
    });
  }
}

function bodyOf({ content, response }: Unindexed): string {
  return foldText(`${content} ${response}`.slice(0, SEARCHED).toWellFormed()).replace(/\s+/g, ' ');
}
