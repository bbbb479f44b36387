import { createHash } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-ip.ts';
import { takeKeyUse } from './key-store.ts';

const KEY = /^Bearer[ \t]+(sk-[a-z0-9-]{1,40}-[A-Za-z0-9_-]{43})$/i;
const WINDOW_SECONDS = 60;

/** Who sends an API request, and what of its user's allowance for this minute is left. */
export interface KeyActor {
  userId: string;
  keyId: string;
  /** Null: every model of the plan. */
  models: string[] | null;
  rate: { limit: number; remaining: number; reset: number };
}

/** An actor, with the seconds to wait where this request was one too many. */
export interface KeyUse {
  actor: KeyActor;
  wait: number;
}

/**
 * The user behind an `Authorization: Bearer` header, with one request counted against the allowance of the minute, which is the user's
 * and not the key's; from an address that the key does not allow none is. Throws `invalid_api_key` for a key that is malformed, unknown,
 * revoked or expired, and `address_not_allowed`.
 */
export async function authenticateKey(
  deps: Pick<Deps, 'database' | 'clock' | 'config'>,
  authorization: string | undefined,
  ip: string,
): Promise<KeyUse> {
  const key = KEY.exec(authorization ?? '')?.[1];
  if (key === undefined) throw new AppError('invalid_api_key');
  const at = deps.clock.databaseTime();
  const from = { ip: plainIp(ip), windowSeconds: WINDOW_SECONDS };
  const used = await takeKeyUse(deps.database.sql, hashKey(key), from, at);
  if (!used) throw new AppError('invalid_api_key');
  if (!used.isWithin) throw new AppError('address_not_allowed', { address: ip });
  const limit = deps.config.limits.apiRequestsPerMinute;
  const rate = { limit, remaining: Math.max(0, limit - used.count), reset: used.reset };
  const actor = { userId: used.userId, keyId: used.id, models: used.models, rate };
  return { actor, wait: used.count > limit ? used.reset : 0 };
}

/** An address without its zone; an IPv4 address in its IPv6 spelling is that IPv4 address. */
function plainIp(ip: string): string {
  const plain = ip.split('%')[0] ?? '';
  const mapped = networkOf(plain);
  return mapped.includes(':') ? plain : mapped;
}

/** What is stored of an API key. A plain SHA-256 is enough for 256 random bits: there is nothing to guess. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
