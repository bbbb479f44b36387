import { writeLongAnswer } from '#emulators/answers/long-answer.ts';
import { newId } from '#server/platform/ids.ts';
import type { Rig } from '../rig.ts';
import { MODEL } from '../streams/ask.ts';

const CHARACTERS = 1_500;

/** A conversation of `exchanges` questions with answers of some length, one after the other; answers its id. */
export async function seedConversation(rig: Rig, userId: string, exchanges: number): Promise<string> {
  const conversation = newId();
  const { sql } = rig.postgres;
  const owner = newId();
  await sql`
    insert into conversations (id, user_id, title, folded_title, created_at, updated_at)
    values (${conversation}, ${userId}, 'A long one', 'a long one', now(), now())`;
  const rows = Array.from({ length: exchanges }, (_, place) => ({
    id: newId(),
    user_id: userId,
    conversation_id: conversation,
    parent_id: null as string | null,
    model: MODEL.ours,
    content: place % 2 === 0 ? `第 ${place + 1} 个问题：接下来呢？` : `Question ${place + 1}: what next?`,
    response: writeLongAnswer(place % 2 === 0 ? '接下来' : 'What next', CHARACTERS),
    status: 'completed',
    cost: 15,
    credits_used: 15,
    owner,
    end_seq: 2,
    created_at: new Date(Date.now() - (exchanges - place) * 60_000),
    ended_at: new Date(Date.now() - (exchanges - place) * 60_000 + 1_000),
  }));
  for (const [place, row] of rows.entries()) row.parent_id = rows[place - 1]?.id ?? null;
  await sql`insert into messages ${sql(rows)}`;
  return conversation;
}
