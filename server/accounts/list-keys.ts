import type { ApiKey } from '#contract/keys.ts';
import type { Deps } from '#server/deps.ts';
import { selectKeys } from './key-store.ts';
import { presentKey } from './present-key.ts';

/** The user's API keys, newest first; those that are revoked are gone. */
export async function listKeys({ database }: Pick<Deps, 'database'>, userId: string): Promise<ApiKey[]> {
  return (await selectKeys(database.sql, userId)).map(presentKey);
}
