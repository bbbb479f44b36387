import type { Executor, Fragment } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Rig } from '../rig.ts';
import { MODEL } from './ask.ts';

const MESSAGES = 3_000;
const PROMPT = '潮汐是怎么来的？';
const ANSWER = '月球的引力把海水拉向它。'.repeat(50);
const EVENTS = JSON.stringify([['text', { text: ANSWER }]]);

/**
 * Gives the database a past: finished messages of users who are not there now. On empty tables PostgreSQL would plan for
 * empty tables, which no product in use has. Works on the database of an older checkout too.
 */
export async function seedHistory(rig: Rig): Promise<void> {
  const ids = Array.from({ length: MESSAGES }, newId);
  const owner = newId();
  const { sql } = rig.postgres;
  await sql`
    insert into users (id, email, display_name)
    select id, id || '@bench.example', 'bench' from unnest(${ids}::uuid[]) as id`;
  const send = await countArguments(sql, 'send_message');
  const end = await countArguments(sql, 'end_message');
  await sql.begin(async (tx) => {
    const sentLater = [tx`30`, tx`100`, tx`null::jsonb`];
    const endedLater = [
      ...[tx`'stop'`, tx`false`, tx`false`],
      ...[tx`null::int`, tx`null::jsonb`, tx`null::jsonb`, tx`null::text`, tx`null::jsonb`],
    ];
    const sent = [
      tx`id, id, id, null, ${MODEL.ours}, ${PROMPT}, ${PROMPT}, 15, ${owner}, 10, null, ${PROMPT}, false`,
      ...sentLater.slice(0, send - 13),
    ];
    const ended = [
      tx`id, ${owner}, 'completed', ${ANSWER}, null, ${MODEL.upstream}, ${MODEL.upstream}, null, false, true,
        'completed', 2, 1, ${EVENTS}::text::jsonb, null, 100, false`,
      ...endedLater.slice(0, end - 17),
    ];
    const list = (all: Fragment[]) => all.reduce((before, next) => tx`${before}, ${next}`);
    await tx`select send_message(${list(sent)}) from unnest(${ids}::uuid[]) as id`;
    await tx`select end_message(${list(ended)}) from unnest(${ids}::uuid[]) as id`;
  });
  // The past was made searchable long ago: it is not what is measured.
  await sql`delete from search_queue`;
  await sql`vacuum analyze`;
}

/** How many arguments a function of the checkout takes: each version adds its own at the end. */
async function countArguments(sql: Executor, name: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select max(pronargs)::int as count from pg_proc where proname = ${name}`;
  if (!row?.count) throw new Error(`the database has no ${name}`);
  return row.count;
}
