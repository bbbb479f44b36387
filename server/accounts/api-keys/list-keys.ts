import type { ApiKey } from '#contract/keys.ts';
import type { Deps } from '#server/deps.ts';
import type { KeyRow } from './key-store.ts';
import { selectAllKeys, selectKeys } from './key-store.ts';

/** The user's API keys, newest first; those that are revoked are gone. */
export async function listKeys({ database }: Pick<Deps, 'database'>, userId: string): Promise<ApiKey[]> {
  return (await selectKeys(database.sql, userId)).map(presentKey);
}

/** Every API key that the user has or had, newest first, each with when it was revoked: null while it is not. */
export async function listAllKeys(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): Promise<(ApiKey & { revokedAt: number | null })[]> {
  const rows = await selectAllKeys(database.sql, userId);
  return rows.map((row) => ({ ...presentKey(row), revokedAt: row.revokedAt?.getTime() ?? null }));
}

/** A key as its user sees it. */
export function presentKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    models: row.models,
    monthlyCap: row.monthlyCap,
    allowedAddresses: row.allowedAddresses,
    expiresAt: row.expiresAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    lastUsedAt: row.lastUsedAt?.getTime() ?? null,
  };
}
