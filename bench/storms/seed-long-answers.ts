import { newId } from '#server/platform/ids.ts';
import type { Rig } from '../rig.ts';
import { MODEL } from '../streams/ask.ts';

/** As many events as an answer at the limit of its length can have. */
const EVENTS = 16_384;

/** A finished message with the longest answer there can be for each of these users, who have their first credits; its ids. */
export async function seedLongAnswers({ postgres: { sql } }: Rig, userIds: string[]): Promise<string[]> {
  const owner = newId();
  const events = JSON.stringify(Array.from({ length: EVENTS }, () => ['text', { text: '潮汐 ' }]));
  const answer = '潮汐 '.repeat(EVENTS);
  const ids = userIds.map(() => newId());
  await sql.begin(async (tx) => {
    await tx`
      select send_message(user_id, id, id, null, ${MODEL.ours}, 'x', 'x', 8, ${owner}, 10, null, 'x', false, 30, 100)
        from unnest(${userIds}::uuid[], ${ids}::uuid[]) as u (user_id, id)`;
    await tx`
      select end_message(id, ${owner}, 'completed', ${answer}, null, ${MODEL.upstream}, ${MODEL.upstream}, null, false, true,
        'completed', ${EVENTS + 1}, 1, ${events}::text::jsonb, null, 100, false, 'stop', false, false)
        from unnest(${ids}::uuid[]) as id`;
  });
  await sql`delete from search_queue`;
  return ids;
}
