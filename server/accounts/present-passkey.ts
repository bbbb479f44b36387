import type { Passkey } from '#contract/passkeys.ts';
import type { PasskeyRow } from './passkey-store.ts';

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
