import { READ_TEXTS } from '#server/chat/search/search-store.ts';
import { type PlantedTree, plantTree, type TreeNode } from './conversation-tree.ts';
import { plantForUser } from './plant-for-user.ts';

/**
 * Gives a user of the product that the journeys run against a conversation by SQL, which search knows; `words` are added to the
 * messages with these places in the list.
 */
export function plantSearchable(
  email: string,
  nodes: readonly TreeNode[],
  words: Record<string, number>,
): Promise<PlantedTree> {
  return plantForUser(email, async (sql, userId) => {
    const tree = await plantTree(sql, userId, nodes);
    for (const [word, place] of Object.entries(words))
      await sql`update messages set content = content || ${` ${word}`} where id = ${tree.ids[place] ?? ''}`;
    await sql`
      insert into search_users (user_id, texts, mode)
      values (${userId}, ${nodes.length}, ${nodes.length > READ_TEXTS ? 'storing' : 'read'})`;
    await sql`analyze messages`;
    return tree;
  });
}
