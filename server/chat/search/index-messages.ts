import { setImmediate as breathe } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';
import { foldText } from './fold-text.ts';
import { slotsOfText } from './rules.ts';
import { insertTexts, SEARCHED, type SearchedText, takeQueued, type Unindexed } from './search-store.ts';

const AT_ONCE = 50;

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
      if (texts.length > 0) await insertTexts(sql, texts);
      return taken.count;
    });
  }
}

function readText({ id, content, response }: Unindexed): SearchedText {
  const body = foldText(`${content} ${response}`.slice(0, SEARCHED).toWellFormed()).replace(/\s+/g, ' ');
  return { id, body, slots: slotsOfText(body) };
}
