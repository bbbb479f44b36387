import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database.ts';
import {
  findLeaf,
  findNewest,
  selectDownwards,
  selectInOrder,
  selectSiblings,
  selectUpwards,
} from './branch-store.ts';
import { findConversation } from './conversation-store.ts';
import type { MessageRow } from './store.ts';

export interface BranchQuery {
  conversationId: string;
  /** The message through which the branch runs; null: the branch with the newest message. */
  branch: string | null;
  before: string | null;
  after: string | null;
  limit: number;
}

/** A part of one branch, from above to below. */
export interface Branch {
  messages: MessageRow[];
  olderCursor: string | null;
  newerCursor: string | null;
  leafId: string | null;
  siblings: Record<string, string[]>;
}

const EMPTY: Branch = { messages: [], olderCursor: null, newerCursor: null, leafId: null, siblings: {} };

/**
 * A page of one branch of a conversation of the user: above `before`, below `after`, else around the message that names the
 * branch, or the end of the newest one. What is read grows with the page; towards a leaf also with the way to it.
 * Throws `not_found` for a conversation or message that is not there, `invalid_request` for both cursors at once.
 */
export async function listBranch(
  { database: { sql } }: Pick<Deps, 'database'>,
  userId: string,
  query: BranchQuery,
): Promise<Branch> {
  const { conversationId, branch, before, after } = query;
  if (before !== null && after !== null) throw new AppError('invalid_request', { field: 'after' });
  if (!(await findConversation(sql, userId, conversationId))) throw new AppError('not_found');
  const through = branch ?? (await findNewest(sql, userId, conversationId));
  if (through === null) return EMPTY;
  const leafId = await findLeaf(sql, userId, conversationId, through);
  if (leafId === null) throw new AppError('not_found');
  const { ids, isFirst, isLast } = await pickIds(sql, userId, query, leafId);
  const [messages, rows] = await Promise.all([
    selectInOrder(sql, ids),
    selectSiblings(sql, conversationId, ids),
  ]);
  return {
    messages,
    olderCursor: isFirst ? null : (ids[0] ?? null),
    newerCursor: isLast ? null : (ids.at(-1) ?? null),
    leafId,
    siblings: Object.fromEntries(rows.map(({ id, siblings }) => [id, siblings])),
  };
}

interface Picked {
  ids: string[];
  isFirst: boolean;
  isLast: boolean;
}

async function pickIds(sql: Executor, userId: string, query: BranchQuery, leafId: string): Promise<Picked> {
  const { conversationId, branch, before, after, limit } = query;
  const upwards = (id: string, most: number) =>
    selectUpwards(sql, { userId, conversationId, id, limit: most });
  const downwards = async (above: string, most: number) => {
    const below = await selectDownwards(sql, { leafId, above, limit: most });
    if ((below[0]?.parentId ?? leafId) !== above) throw new AppError('not_found');
    return below.map(({ id }) => id);
  };
  if (after !== null) {
    const below = await downwards(after, limit + 1);
    return { ids: below.slice(0, limit), isFirst: false, isLast: below.length <= limit };
  }
  if (before !== null) {
    const above = await upwards(before, limit + 2);
    if (above.length === 0) throw new AppError('not_found');
    const shown = above.slice(1, limit + 1).reverse();
    return { ids: shown, isFirst: above.length < limit + 2, isLast: false };
  }
  const half = branch === null ? limit : Math.ceil(limit / 2);
  const below = branch === null ? [] : await downwards(branch, limit);
  const most = Math.max(half, limit - below.length);
  const above = await upwards(branch ?? leafId, most + 1);
  const shown = above.slice(0, most).reverse();
  const rest = below.slice(0, limit - shown.length);
  return { ids: [...shown, ...rest], isFirst: above.length <= most, isLast: rest.length === below.length };
}
