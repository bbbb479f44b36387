import type { Passkey } from '#contract/accounts/passkeys.ts';
import type { Deps } from '#server/deps.ts';
import type { PasskeyRow } from './passkey-store.ts';
import { selectPasskeys } from './passkey-store.ts';

/** A user's passkeys, the oldest first. */
export async function listPasskeys({ database }: Pick<Deps, 'database'>, userId: string): Promise<Passkey[]> {
  return (await selectPasskeys(database.sql, userId)).map(presentPasskey);
}

/** A passkey as its user sees it. */
export function presentPasskey({
  id,
  name,
  synced,
  createdAt,
  usedAt,
}: Pick<PasskeyRow, 'id' | 'name' | 'synced' | 'createdAt' | 'usedAt'>): Passkey {
  return { id, name, synced, createdAt: createdAt.getTime(), usedAt: usedAt?.getTime() ?? null };
}
