import { randomBytes } from 'node:crypto';
import type { CreatedKey, CreateKey } from '#contract/keys.ts';
import { MAX_KEYS } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { requireName } from '#server/platform/clean-text.ts';
import { newId } from '#server/platform/ids.ts';
import type { Actor } from '../sessions/authenticate.ts';
import { lockOwnAccount } from '../sessions/change-credential.ts';
import { requireConfirmed } from '../sessions/require-confirmed.ts';
import { limitChanges, sendNotice } from '../users/send-notice.ts';
import { hashKey } from './authenticate-key.ts';
import { insertKey } from './key-store.ts';
import { presentKey } from './list-keys.ts';

const RANDOM_BYTES = 32;
const SHOWN_CHARACTERS = 6;

/**
 * Makes an API key for the caller, whom a mail informs. The answer is the only place where the key itself ever is; what is stored is
 * its hash. Throws `confirmation_required`, `too_many_keys`, `rate_limited`, `invalid_request` for an expiry that is over or a name
 * of nothing.
 */
export async function createKey(
  deps: Pick<Deps, 'database' | 'clock' | 'config'>,
  actor: Actor,
  input: CreateKey,
): Promise<CreatedKey> {
  await requireConfirmed(deps, actor);
  const { userId } = actor;
  const { sql } = deps.database;
  const now = deps.clock.now();
  if (input.expiresAt !== null && input.expiresAt <= now.getTime()) {
    throw new AppError('invalid_request', { field: 'expiresAt' });
  }
  const name = requireName(input.name, 'name');
  await limitChanges(deps, userId);
  const head = `sk-${deps.config.brand.slug}-`;
  const key = head + randomBytes(RANDOM_BYTES).toString('base64url');
  const row = {
    id: newId(),
    name,
    prefix: key.slice(0, head.length + SHOWN_CHARACTERS),
    models: input.models && [...new Set(input.models)],
    monthlyCap: input.monthlyCap,
    allowedAddresses: input.allowedAddresses && [...new Set(input.allowedAddresses)],
    expiresAt: input.expiresAt === null ? null : new Date(input.expiresAt),
  };
  await sql.begin(async (tx) => {
    await lockOwnAccount(tx, actor);
    const created = await insertKey(tx, { ...row, userId, hash: hashKey(key), at: now }, MAX_KEYS);
    if (!created) throw new AppError('too_many_keys', { limit: MAX_KEYS });
    await sendNotice(tx, deps, userId, 'api_key_created', { name, prefix: row.prefix }, row.id);
  });
  return { ...presentKey({ ...row, createdAt: now, lastUsedAt: null }), key };
}
