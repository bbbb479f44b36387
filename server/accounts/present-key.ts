import type { ApiKey } from '#contract/keys.ts';
import type { KeyRow } from './key-store.ts';

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
