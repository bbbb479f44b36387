import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { networkOf } from '#server/platform/client-address.ts';
import { clearRateLimit, type RateLimit, takeRateLimit } from '#server/platform/rate-limit.ts';
import { listSessionAddresses } from './store.ts';

type AttemptDeps = Pick<Deps, 'config' | 'database' | 'clock'>;

const PER_ACCOUNT_AND_NETWORK: RateLimit = { max: 10, windowSeconds: 600 };
const PER_ACCOUNT: RateLimit = { max: 50, windowSeconds: 3600 };

/**
 * Counts an attempt to sign in to `email` from `address`: by network, by account and network, and by account. The last one
 * spares networks where the account is signed in, so that nobody can lock somebody else out. Throws `rate_limited`.
 */
export async function limitSignIns(
  { config, database, clock }: AttemptDeps,
  email: string,
  address: string,
): Promise<void> {
  const { sql } = database;
  const at = clock.databaseTime();
  const network = networkOf(address);
  const limit = { max: config.limits.signInsPerMinute, windowSeconds: 60 };
  refuse(await takeRateLimit(sql, `sign-in:${network}`, limit, at));
  refuse(await takeRateLimit(sql, `sign-in:${network}:${email}`, PER_ACCOUNT_AND_NETWORK, at));
  const wait = await takeRateLimit(sql, `sign-in:${email}`, PER_ACCOUNT, at);
  if (wait === 0) return;
  const known = (await listSessionAddresses(sql, email, at)).map(networkOf);
  if (!known.includes(network)) refuse(wait);
}

/** Forgets the attempts on an account after the right password was given. */
export async function forgetSignIns(
  { config, database }: AttemptDeps,
  email: string,
  address: string,
): Promise<void> {
  await clearRateLimit(database.sql, `sign-in:${networkOf(address)}:${email}`);
  await clearRateLimit(database.sql, `sign-in:${email}`);
  if (config.captcha) await clearRateLimit(database.sql, `captcha:${email}`);
}

function refuse(seconds: number) {
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
}
