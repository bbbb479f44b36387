import { join } from 'node:path';
import { READ_TEXTS } from '#server/chat/search/search-store.ts';
import { connectPostgres } from '#server/platform/database/database.ts';
import { reachPostgres } from '#server/platform/postgres/reach-postgres.ts';
import { e2eFolder } from '../e2e-folder.ts';
import { type PlantedTree, plantTree, type TreeNode } from './conversation-tree.ts';

/**
 * Gives a user of the product that the journeys run against a conversation by SQL, which search knows; `words` are added to the
 * messages with these places in the list.
 */
export async function plantSearchable(
  email: string,
  nodes: readonly TreeNode[],
  words: Record<string, number>,
): Promise<PlantedTree> {
  const { url, close } = await reachPostgres(join(e2eFolder(), 'data'));
  const sql = connectPostgres(url, { max: 1 });
  try {
    const [user] = await sql<{ id: string }[]>`select id from users where email = ${email}`;
    const tree = await plantTree(sql, user?.id ?? '', nodes);
    for (const [word, place] of Object.entries(words))
      await sql`update messages set content = content || ${` ${word}`} where id = ${tree.ids[place] ?? ''}`;
    await sql`
      insert into search_users (user_id, texts, mode)
      values (${user?.id ?? ''}, ${nodes.length}, ${nodes.length > READ_TEXTS ? 'storing' : 'read'})`;
    await sql`analyze messages`;
    return tree;
  } finally {
    await sql.end();
    await close();
  }
}
