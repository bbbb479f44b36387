import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillSearchIndex } from '#server/chat/search/index-messages.ts';
import { searchConversations } from '#server/chat/search/search-conversations.ts';
import { READ_TEXTS } from '#server/chat/search/search-store.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Database, openDatabase } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import type { Benchmark } from './benchmark.ts';
import { percentile } from './percentile.ts';
import { against, table } from './results.ts';

const OWN = 50_000;
const OTHERS = 75;
const OF_EACH = 2_000;
/** Users who have as many as may be read from their messages. */
const LIGHTS = 20;
const IN_CONVERSATION = 20;
const CHARACTERS = 400;
const AT_ONCE = 2_000;
const REPEATS = 60;
/** An index of everything takes longer than the product waits for a statement. */
const MAX_ANSWER_SECONDS = 600;
/** What a reader may wait for. */
const P95_MS = 150;
const CHINESE_WORDS = 4_000;
const ENGLISH_WORDS = 1_000;

type Words = string[];

/** Finds words in the 50,000 messages of one user among 220,000, by how often they occur, and in those of users with few. */
export const runSearch: Benchmark = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(postgres.url);
  const database = openDatabase(postgres.url, { poolSize: 1, answerSeconds: MAX_ANSWER_SECONDS });
  try {
    const random = randomFrom(7);
    const [chinese, english] = [chineseWords(random), englishWords(random)];
    const { heavy, lights } = await seed(database, random, chinese, english);
    const rows = [];
    for (const [name, query] of queriesOf(random, chinese, english)) {
      rows.push([name, ...(await measure(database, [heavy], query))]);
    }
    for (const [name, query] of queriesOf(random, chinese, english)) {
      rows.push([`of ${READ_TEXTS} messages, ${name}`, ...(await measure(database, lights, query))]);
    }
    const [row] = await database.sql<{ server_version: string; size: string }[]>`
      select current_setting('server_version') as server_version,
             pg_size_pretty(pg_total_relation_size('search_texts') + pg_total_relation_size('search_index')) as size`;
    const all = OWN + OTHERS * OF_EACH + LIGHTS * READ_TEXTS;
    const body = `**Search**, ${OWN} messages of one user among ${all}, ${CHARACTERS} characters each; \
texts and index of ${OTHERS + 1} users ${row?.size}\n\n${table(['query', 'p50 ms', 'p95', 'max', 'hits on a page'], rows)}`;
    return { body, postgres: `PostgreSQL ${row?.server_version.split(' ')[0]}` };
  } finally {
    await database.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** Numbers in [0, 1) that are the same at every run (https://en.wikipedia.org/wiki/Xorshift). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Words of one to three characters, the common ones first, as the characters in them. */
function chineseWords(random: () => number): Words {
  return Array.from({ length: CHINESE_WORDS }, () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      String.fromCharCode(0x4e00 + Math.floor(3_500 * random() ** 2)),
    ).join(''),
  );
}

function englishWords(random: () => number): Words {
  return Array.from({ length: ENGLISH_WORDS }, () =>
    Array.from({ length: 3 + Math.floor(random() * 7) }, () =>
      String.fromCharCode(97 + Math.floor(26 * random())),
    ).join(''),
  );
}

/** The word of a rank between 0 (common) and 1 (rare). */
function wordAt(words: Words, rank: number): string {
  return words[Math.floor(words.length * rank)] ?? '';
}

function textOf(random: () => number, chinese: Words, english: Words): string {
  let text = '';
  while (text.length < CHARACTERS) {
    text += wordAt(chinese, random() ** 3);
    if (random() < 0.1) text += random() < 0.5 ? '，' : ` ${wordAt(english, random() ** 3)} `;
  }
  return text;
}

async function seed(database: Database, random: () => number, chinese: Words, english: Words) {
  const { sql } = database;
  await sql`set statement_timeout = 0`;
  await sql`set maintenance_work_mem = '256MB'`;
  const users = Array.from({ length: 1 + OTHERS + LIGHTS }, newId);
  await sql`
    insert into users (id, email, display_name)
    select id, id || '@bench.example', 'bench' from unnest(${users}::uuid[]) as id`;
  await sql`drop index search_index_keys`;
  for (const [n, userId] of users.entries()) {
    const count = n === 0 ? OWN : n <= OTHERS ? OF_EACH : READ_TEXTS;
    for (let from = 0; from < count; from += AT_ONCE) {
      const texts = Array.from({ length: Math.min(AT_ONCE, count) }, () => textOf(random, chinese, english));
      await insertMessages(database, userId, texts);
    }
  }
  await sql`
    insert into search_users (user_id, texts, mode)
    select user_id, count(*), case when count(*) > ${READ_TEXTS} then 'storing' else 'read' end from messages group by user_id`;
  await fillSearchIndex({ database });
  await sql`create index search_index_keys on search_index using gin (search_keys(user_id, slots)) with (fastupdate = off)`;
  await sql`vacuum analyze`;
  return { heavy: users[0] ?? '', lights: users.slice(1 + OTHERS) };
}

async function insertMessages({ sql }: Database, userId: string, texts: string[]) {
  const ids = texts.map(newId);
  const conversations = Array.from({ length: texts.length / IN_CONVERSATION }, newId);
  await sql`
    insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
    select id, ${userId}, t, t, now(), now()
      from unnest(${conversations}::uuid[], ${texts.slice(0, conversations.length).map((text) => text.slice(0, 20))}::text[]) as c (id, t)`;
  const places = ids.map((_, n) => conversations[Math.floor(n / IN_CONVERSATION)] ?? '');
  await sql`
    insert into messages (id, user_id, conversation_id, model, content, response, status, cost, credits_used, owner,
        end_seq, created_at, ended_at)
      select id, ${userId}, place, 'parley-flash', left(body, 40), substr(body, 41), 'completed', 15, 15, id, 2,
             clock_timestamp(), now()
        from unnest(${ids}::uuid[], ${places}::uuid[], ${texts}::text[]) as t (id, place, body)`;
}

type Query = () => string;

function queriesOf(random: () => number, chinese: Words, english: Words): [string, Query][] {
  const some = (words: Words, from: number, to: number) => wordAt(words, from + (to - from) * random());
  return [
    ['one character, common', () => some(chinese, 0, 0.02).slice(0, 1)],
    ['one character, any', () => some(chinese, 0, 1).slice(0, 1)],
    ['two characters, common', () => `${some(chinese, 0, 0.05)}${some(chinese, 0, 0.05)}`.slice(0, 2)],
    ['two characters, rare', () => `${some(chinese, 0.5, 1)}${some(chinese, 0.5, 1)}`.slice(0, 2)],
    [
      'four characters',
      () => `${some(chinese, 0, 0.1)}${some(chinese, 0, 0.1)}${some(chinese, 0, 0.1)}`.slice(0, 4),
    ],
    ['a word of English', () => some(english, 0, 1)],
    ['two words of both languages', () => `${some(english, 0, 0.3)} ${some(chinese, 0, 0.3)}`],
    ['three common words', () => [0, 1, 2].map(() => some(chinese, 0, 0.05)).join(' ')],
    ['what is nowhere', () => `鑫${some(chinese, 0, 1)}`],
  ];
}

async function measure(database: Database, userIds: string[], query: Query) {
  const took: number[] = [];
  let hits = 0;
  for (let n = 0; n < REPEATS + 5; n += 1) {
    const q = query();
    const userId = userIds[n % userIds.length] ?? '';
    const before = performance.now();
    const page = await searchConversations({ database }, userId, { q, cursor: null, limit: 20 });
    if (n < 5) continue;
    took.push(performance.now() - before);
    hits += page.hits.length;
  }
  const times = Float64Array.from(took);
  return [
    percentile(times, 0.5),
    against(percentile(times, 0.95), P95_MS),
    Math.max(...took),
    hits / REPEATS,
  ];
}
