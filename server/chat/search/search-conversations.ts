import { setImmediate as breathe } from 'node:timers/promises';
import type { SearchHit, SearchPage } from '#contract/chat.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { cleanText } from '#server/platform/clean-text.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { presentConversation } from '../message-store/present.ts';
import { clearMarkdown } from './clear-markdown.ts';
import { composeSnippet } from './compose-snippet.ts';
import {
  type FoundMessage,
  findTexts,
  isIndexed,
  type Place,
  readTexts,
  scanTexts,
  selectFound,
  selectTitles,
  type TextHit,
  type TitleHit,
  type Words,
} from './search-store.ts';
import { foldMessage, foldText } from './slot-rules.ts';

/**
 * Texts that are looked through before the index is asked. What is common is found among them at once, so that the index is
 * asked only for what is rare, where it has few answers.
 */
const SCANNED_FIRST = 200;
/** Messages that are read with one statement. */
const READ_AT_ONCE = 200;

/**
 * Finds every word in titles and messages of the user, titles first, then messages, newest first. Deleted and temporary
 * conversations are left out. Throws `invalid_request`.
 */
export async function searchConversations(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
  query: { q: string; cursor: string | null; limit: number },
): Promise<SearchPage> {
  const words = wordsOf(query.q);
  if (words.length === 0) throw new AppError('invalid_request', { field: 'q' });
  const wanted = { userId, words };
  const place = query.cursor === null ? null : readCursor(query.cursor);
  const limit = query.limit + 1;
  const titles = place?.part === 'm' ? [] : await selectTitles(sql, wanted, { before: place, limit });
  const before = place?.part === 'm' ? place : null;
  const texts = await searchTexts(sql, wanted, before, limit - titles.length);
  const rows = [
    ...titles.map((title) => ({ part: 't', place: title.place, id: title.id })),
    ...texts.map(({ messageId, place: at }) => ({ part: 'm', place: at, id: messageId })),
  ];
  const found = await selectFound(
    sql,
    userId,
    texts.map(({ messageId }) => messageId),
  );
  const byId = new Map(found.map((one) => [one.messageId, one]));
  const hits = titles.map((title) => presentTitle(title, words));
  for (const { messageId } of texts) {
    hits.push(...presentText(byId.get(messageId), words));
    await breathe();
  }
  const last = rows[query.limit - 1];
  const nextCursor = rows.length > query.limit && last ? `${last.part}${last.place}_${last.id}` : null;
  return { hits: hits.slice(0, query.limit), nextCursor };
}

/** The different words of a query, folded, in the order they were typed. */
function wordsOf(q: string): string[] {
  const words = foldText(cleanText(q))
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...new Set(words)];
}

async function searchTexts(
  sql: Executor,
  words: Words,
  before: Place | null,
  limit: number,
): Promise<TextHit[]> {
  if (limit <= 0) return [];
  if (!(await isIndexed(sql, words.userId))) return readMessages(sql, words, before, limit);
  const { hits, reached } = await scanTexts(sql, words, { before, depth: SCANNED_FIRST });
  if (hits.length >= limit || !reached) return hits.slice(0, limit);
  return [...hits, ...(await findTexts(sql, words, { before: reached, limit: limit - hits.length }))];
}

/** Reads the messages of a user with few texts, newest first, until there are enough that have all of the words. */
async function readMessages(sql: Executor, { userId, words }: Words, before: Place | null, limit: number) {
  const hits: TextHit[] = [];
  for (let from = before; ; ) {
    const texts = await readTexts(sql, userId, { before: from, limit: READ_AT_ONCE });
    for (const text of texts) {
      if (text.said !== null && hasAll(foldMessage(text.said), words)) hits.push(text);
      await breathe();
    }
    const last = texts.length < READ_AT_ONCE ? undefined : texts.at(-1);
    if (!last || hits.length >= limit) return hits.slice(0, limit);
    from = { micros: last.place, id: last.messageId };
  }
}

function hasAll(text: string, words: string[]): boolean {
  return words.every((word) => text.includes(word));
}

function presentTitle(title: TitleHit, words: string[]): SearchHit {
  const cut = composeSnippet(title.title, words) ?? { snippet: title.title, ranges: [] };
  const timestamp = title.updatedAt.getTime();
  return { conversation: presentConversation(title), where: 'title', messageId: null, ...cut, timestamp };
}

function presentText(message: FoundMessage | undefined, words: string[]): SearchHit[] {
  if (!message) return [];
  const { messageId, content, fileNames, response } = message;
  const inPrompt = composeSnippet(content, words) ?? composeSnippet(fileNames, words);
  const inAnswer = () => composeSnippet(clearMarkdown(response), words) ?? composeSnippet(response, words);
  const cut = inPrompt ?? inAnswer();
  return [
    {
      conversation: presentConversation(message),
      where: inPrompt ? 'prompt' : 'answer',
      messageId,
      snippet: cut?.snippet ?? '',
      ranges: cut?.ranges ?? [],
      timestamp: message.sentAt.getTime(),
    },
  ];
}

function readCursor(cursor: string): Place & { part: string } {
  const found = /^([tm])(\d{1,18})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor);
  const [, part, micros, id] = found ?? [];
  if (!part || !micros || !id) throw new AppError('invalid_request', { field: 'cursor' });
  return { part, micros, id };
}
