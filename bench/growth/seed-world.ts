import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { fillSearchIndex } from '#server/chat/search/index-messages.ts';
import { READ_TEXTS } from '#server/chat/search/search-store.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Rig } from '../rig.ts';
import { type SeededUsers, seedUsers } from '../streams/seed-users.ts';
import { seedRest } from './seed-rest.ts';

export interface WorldSize {
  name: 'small' | 'middle' | 'large';
  /** In all, of the heavy user, in the longest conversation. */
  messages: number;
  heavy: number;
  longest: number;
}

/** The same shape in three sizes: one user with a tenth of all, the others with a hundred each. */
export const WORLDS: readonly WorldSize[] = [
  { name: 'small', messages: 1_000, heavy: 100, longest: 100 },
  { name: 'middle', messages: 100_000, heavy: 10_000, longest: 2_000 },
  { name: 'large', messages: 1_000_000, heavy: 100_000, longest: 5_000 },
];

/** A world so many times as large, in whole hundreds, and large enough to be shaped like it. */
export function scaleWorld(world: WorldSize, times: number): WorldSize {
  const scaled = (count: number, least: number) => Math.max(least, Math.round((count * times) / 100) * 100);
  return {
    ...world,
    messages: scaled(world.messages, 2_000),
    heavy: scaled(world.heavy, 1_200),
    longest: scaled(world.longest, 200),
  };
}

const LIGHT_MESSAGES = 100;
/** Users without a past who send while something large goes on. */
const OTHERS = 5;
/** A word of English that is in few messages, and two characters that are in some. */
export const RARE = { english: 'quokka', chinese: '鼹鼬' };
const COST = 8;
const CREDITS = 1_000_000;
const IN_CONVERSATION = 10;
const FRAGMENTS = 20_000;
const POLL_MS = 1_000;

export interface World {
  rig: Rig;
  size: WorldSize;
  heavy: { id: string; cookie: string; conversation: string; early: string; late: string };
  light: { id: string; cookie: string };
  operator: { id: string; cookie: string };
  /** Of the heavy user, with a monthly cap. */
  key: string;
  /** Bytes that a message takes, before `seedRest`. */
  bytes: { light: number; heavy: number };
  others: string[];
}

/** Fills the database of a rig; the past was written with triggers off, and every table is as if it had been lived. */
export async function seedWorld(rig: Rig, size: WorldSize): Promise<World> {
  const lights = Math.max(2, Math.round((size.messages - size.heavy) / LIGHT_MESSAGES));
  const users = await seedUsers(rig, 1 + OTHERS + lights, CREDITS);
  const { sql } = rig.postgres;
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`set local statement_timeout = 0`;
    await tx`set local work_mem = '128MB'`;
    await planMessages(tx as unknown as Sql, users, size);
    await writeMessages(tx as unknown as Sql);
    await writeLedger(tx as unknown as Sql);
    await countSearched(tx as unknown as Sql);
  });
  await fillIndex(rig);
  await sql`vacuum analyze`.simple();
  await sql`checkpoint`.simple();
  return openWorld(rig, size, users);
}

/** Who sent which message when, in which conversation, below which. All users go through the same 300 days side by side. */
async function planMessages(sql: Sql, { ids }: SeededUsers, { heavy, longest }: WorldSize): Promise<void> {
  const lights = ids.slice(1 + OTHERS);
  const owners = [ids[0] ?? '', ...lights];
  const counts = [heavy, ...lights.map(() => LIGHT_MESSAGES)];
  const longests = [longest, ...lights.map(() => IN_CONVERSATION)];
  await sql`
    create temp table planned on commit drop as
    select *, uuidv7(at - now()) as id, (random() * ${FRAGMENTS - 1})::int as f1, (random() * ${FRAGMENTS - 1})::int as f2,
           (random() * ${FRAGMENTS - 1})::int as f3, (random() * ${FRAGMENTS - 1})::int as f4
      from (select u.user_id, k, case when k < u.longest then 0 else 1 + (k - u.longest) / ${IN_CONVERSATION} end as conv,
                   case when k < u.longest then k else (k - u.longest) % ${IN_CONVERSATION} end as depth,
                   now() - interval '300 days' * (1 - (k + random()) / (u.messages + 1)) as at
              from unnest(${owners}::uuid[], ${counts}::int[], ${longests}::int[]) as u (user_id, messages, longest),
                   generate_series(0, u.messages - 1) as k) p`;
  await sql`
    create temp table placed on commit drop as
    select *, lag(id) over conversation as parent_id, first_value(id) over conversation as chain_id,
           uuidv7(first_value(at) over conversation - now()) as place
      from planned window conversation as (partition by user_id, conv order by depth)`;
  await sql`update placed p set place = f.place from placed f where f.chain_id = p.chain_id and f.depth = 0 and p.depth > 0`;
  await sql`
    create temp table fragments on commit drop as
    select n, (select string_agg(chr(19968 + (3500 * random() * random())::int) || case when random() < 0.08 then ' ' else '' end, '')
                 from generate_series(1, 95 + n % 2)) as text from generate_series(0, ${FRAGMENTS - 1}) n`;
  await sql`analyze planned, placed, fragments`.simple();
}

async function writeMessages(sql: Sql): Promise<void> {
  await sql`
    insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
    select place, user_id, 'Talk ' || conv, 'talk ' || conv, min(at), max(at) from placed group by place, user_id, conv
     order by max(at)`;
  await sql`
    create temp table texts on commit drop as
    select p.id, left(a.text, 90) as content,
           b.text || ' ' || c.text || ' ' || d.text
             || case when p.k % 97 = 13 then ${` ${RARE.chinese} `} else '' end
             || case when p.k % 1009 = 17 then ${` ${RARE.english}`} else '' end as response
      from placed p join fragments a on a.n = f1 join fragments b on b.n = f2 join fragments c on c.n = f3 join fragments d on d.n = f4`;
  await sql`
    insert into messages (id, user_id, conversation_id, parent_id, model, content, response, status, cost, credits_used,
      model_version, upstream_model, owner, end_seq, created_at, ended_at, first_text_ms, finish_reason, depth, chain_id)
    select p.id, user_id, place, parent_id, 'parley-flash', t.content, t.response, 'completed', ${COST}, ${COST},
           'gemini-3.8-flash', 'gemini-3.8-flash', chain_id, 2, at, at + interval '2 seconds', 300, 'stop', depth, chain_id
      from placed p join texts t on t.id = p.id order by at`;
}

/** Each message was held and settled, one after the other, from the large grant of its user. */
async function writeLedger(sql: Sql): Promise<void> {
  await sql`
    insert into credit.hold (user_id, id, model, cost, state, reason, created_at, closed_at)
    select user_id, id, 'parley-flash', ${COST}, 'settled', 'completed', at, at + interval '2 seconds' from placed order by at`;
  await sql`
    insert into credit.transfer (user_id, bucket_id, hold_id, src, dst, amount, line_change, balance_after, reason, at)
    select p.user_id, b.id, p.id, m.src, m.dst, ${COST}::int, case m.src when 'available' then ${-COST}::int end,
           t.balance_after - ${COST}::int * (p.k + 1), case m.src when 'available' then 'message' else 'completed' end, p.at
      from placed p
      join credit.bucket b on b.user_id = p.user_id and b.source_key = 'bench'
      join lateral (select balance_after from credit.transfer where user_id = p.user_id order by id desc limit 1) t on true
     cross join (values (1, 'available', 'held'), (2, 'held', 'spent')) as m (step, src, dst)
     order by p.at, m.step`;
  await sql`
    update credit.bucket b set available = available - ${COST} * p.count, spent = spent + ${COST} * p.count
      from (select user_id, count(*)::int as count from placed group by user_id) p
     where p.user_id = b.user_id and b.source_key = 'bench'`;
}

async function countSearched(sql: Sql): Promise<void> {
  await sql`
    insert into search_users (user_id, texts, mode)
    select user_id, count(*), case when count(*) > ${READ_TEXTS} then 'storing' else 'read' end from placed group by user_id`;
}

async function fillIndex(rig: Rig): Promise<void> {
  const { sql } = rig.postgres;
  const database = openDatabase(rig.postgres.url, { poolSize: 1 });
  await sql`drop index search_index_keys`;
  // The server of the world has a minute's job for it too, and who comes second leaves it to the first.
  const storing = () => sql`select from search_users where mode = 'storing'`;
  for (; (await storing()).length > 0; await sleep(POLL_MS)) await fillSearchIndex({ database });
  await sql`create index search_index_keys on search_index using gin (search_keys(user_id, slots)) with (fastupdate = off)`;
  await database.close();
}

async function openWorld(rig: Rig, size: WorldSize, users: SeededUsers): Promise<World> {
  const { sql } = rig.postgres;
  const { ids, cookies, keys } = users;
  const [id = '', ...rest] = ids;
  const [row] = await sql<{ conversation: string; early: string; late: string }[]>`
    select c.id as conversation, (select id from messages where conversation_id = c.id and depth = ${size.longest / 20}) as early,
           (select id from messages where conversation_id = c.id and depth = ${size.longest - 10}) as late
      from (select conversation_id as id from messages where user_id = ${id} group by 1 order by count(*) desc limit 1) c`;
  if (!row) throw new Error('the heavy user has no conversation');
  const bytes = await measureBytes(sql, size);
  const operator = { id: rest[0] ?? '', cookie: cookies[1] ?? '' };
  const places = { heavyId: id, conversation: row.conversation, operatorId: operator.id };
  await seedRest(sql, users, size, places);
  return {
    rig,
    size,
    heavy: { id, cookie: cookies[0] ?? '', ...row },
    light: { id: rest[OTHERS] ?? '', cookie: cookies[1 + OTHERS] ?? '' },
    operator,
    key: keys[0] ?? '',
    bytes,
    others: cookies.slice(1, 1 + OTHERS),
  };
}

async function measureBytes(sql: Sql, size: WorldSize): Promise<World['bytes']> {
  const [row] = await sql<{ rows: number; stored: number }[]>`
    select (pg_total_relation_size('messages') + pg_total_relation_size('credit.hold')
            + pg_total_relation_size('credit.transfer') + pg_total_relation_size('conversations'))::float8 as rows,
           (pg_total_relation_size('search_texts') + pg_total_relation_size('search_index'))::float8 as stored`;
  const all = size.heavy + Math.round((size.messages - size.heavy) / LIGHT_MESSAGES) * LIGHT_MESSAGES;
  const light = (row?.rows ?? 0) / all;
  const isStored = size.heavy > READ_TEXTS;
  return { light, heavy: light + (isStored ? (row?.stored ?? 0) / size.heavy : 0) };
}
