import type { Executor } from '#server/platform/database.ts';
import { type GrantRow, selectGrants } from './store.ts';

export type { GrantRow };

/** What paid periods granted the user so far, and how much of it is to be taken back. Credits. */
export function listGrants(sql: Executor, userId: string): Promise<GrantRow[]> {
  return selectGrants(sql, userId);
}
