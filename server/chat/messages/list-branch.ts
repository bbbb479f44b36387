import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Executor } from '#server/platform/database/database.ts';
import {
  findPlace,
  type Place,
  selectInOrder,
  selectSiblings,
  selectWay,
} from '../message-store/branch-store.ts';
import { findConversation } from '../message-store/conversation-store.ts';
import { readLeaf } from '../message-store/read-leaf.ts';
import type { MessageRow } from '../message-store/store.ts';

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
  siblingsBeyond: Record<string, { older: number; newer: number }>;
}

const EMPTY: Branch = {
  messages: [],
  olderCursor: null,
  newerCursor: null,
  leafId: null,
  siblings: {},
  siblingsBeyond: {},
};

/**
 * A page of one branch of a conversation of the user: above `before`, below `after`, else around the message that names the
 * branch, or the end of the newest one. What is read grows with the page, and with the forks on the way to the leaf.
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
  const leaf = await readLeaf(sql, userId, conversationId, branch);
  if (leaf === null && branch === null) return EMPTY;
  if (leaf === null) throw new AppError('not_found');
  const { ids, isFirst, isLast } = await pickIds(sql, userId, query, leaf);
  const [messages, rows] = await Promise.all([
    selectInOrder(sql, ids),
    selectSiblings(sql, conversationId, ids),
  ]);
  return {
    messages,
    olderCursor: isFirst ? null : (ids[0] ?? null),
    newerCursor: isLast ? null : (ids.at(-1) ?? null),
    leafId: leaf.id,
    siblings: Object.fromEntries(rows.map(({ id, siblings }) => [id, siblings])),
    siblingsBeyond: Object.fromEntries(
      rows.flatMap(({ id, older, newer }) => (older + newer > 0 ? [[id, { older, newer }]] : [])),
    ),
  };
}

interface Picked {
  ids: string[];
  isFirst: boolean;
  isLast: boolean;
}

async function pickIds(sql: Executor, userId: string, query: BranchQuery, leaf: Place): Promise<Picked> {
  const { conversationId, branch, before, after, limit } = query;
  const named = before ?? after ?? branch;
  const place = named === null ? leaf : await findPlace(sql, userId, conversationId, named);
  if (place === null) throw new AppError('not_found');
  if (after !== null) {
    const [first, ...ids] = await selectWay(sql, leaf, place.depth, place.depth + limit);
    if (first !== after) throw new AppError('not_found');
    return { ids, isFirst: false, isLast: place.depth + limit >= leaf.depth };
  }
  if (before !== null) {
    const ids = await selectWay(sql, place, place.depth - limit, place.depth - 1);
    return { ids, isFirst: place.depth <= limit, isLast: false };
  }
  const [from, to] = depthsAround(
    place.depth,
    leaf.depth,
    branch === null ? limit : Math.ceil(limit / 2),
    limit,
  );
  return { ids: await selectWay(sql, leaf, from, to), isFirst: from === 0, isLast: to === leaf.depth };
}

/** The first and last depth of a page of `limit` around a depth: `half` of it ends there, more where less is below. */
function depthsAround(depth: number, leafDepth: number, half: number, limit: number): [number, number] {
  const below = Math.min(limit, leafDepth - depth);
  const from = Math.max(0, depth + 1 - Math.max(half, limit - below));
  return [from, Math.min(leafDepth, from + limit - 1)];
}
