import type { Passkey } from '#contract/passkeys.ts';
import type { Deps } from '#server/deps.ts';
import { selectPasskeys } from './passkey-store.ts';
import { presentPasskey } from './present-passkey.ts';

/** A user's passkeys, the oldest first. */
export async function listPasskeys({ database }: Pick<Deps, 'database'>, userId: string): Promise<Passkey[]> {
  return (await selectPasskeys(database.sql, userId)).map(presentPasskey);
}
