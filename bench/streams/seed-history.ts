import { newId } from '#server/platform/ids.ts';
import type { Rig } from '../rig.ts';
import { MODEL } from './ask.ts';

const MESSAGES = 3_000;
const PROMPT = '潮汐是怎么来的？';
const ANSWER = '月球的引力把海水拉向它。'.repeat(50);
const EVENTS = JSON.stringify([['text', { text: ANSWER }]]);

/**
 * Gives the database a past: finished messages of users who are not there now. On empty tables PostgreSQL would plan for
 * empty tables, which no product in use has.
 */
export async function seedHistory(rig: Rig): Promise<void> {
  const ids = Array.from({ length: MESSAGES }, newId);
  const owner = newId();
  const { sql } = rig.postgres;
  await sql`
    insert into users (id, email, display_name)
    select id, id || '@bench.example', 'bench' from unnest(${ids}::uuid[]) as id`;
  await sql.begin(async (tx) => {
    await tx`
      select send_message(id, id, id, null, ${MODEL.ours}, ${PROMPT}, ${PROMPT}, 15, ${owner}, 10, null, ${PROMPT}, false, 30, 100)
        from unnest(${ids}::uuid[]) as id`;
    await tx`
      select end_message(id, ${owner}, 'completed', ${ANSWER}, null, ${MODEL.upstream}, ${MODEL.upstream}, null, false, true,
        'completed', 2, 1, ${EVENTS}::text::jsonb, null, 100, false, 'stop', false, false)
        from unnest(${ids}::uuid[]) as id`;
  });
  // The past was made searchable long ago: it is not what is measured.
  await sql`delete from search_queue`;
  await sql`vacuum analyze`;
}
