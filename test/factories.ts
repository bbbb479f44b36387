import { randomUUID } from 'node:crypto';
import type { Cycle, PlanKey } from '#contract/billing.ts';
import type { Provider } from '#contract/choices.ts';
import { signSessionToken } from '#server/accounts/secrets/session-cookie.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';

export interface TestUser {
  userId: string;
  email: string;
}

/** A user by SQL alone, with the 40 credits that come with the record. It cannot sign in: there is no password. */
export async function insertUser(
  sql: Executor,
  user: { email?: string; displayName?: string; createdAt?: Date; emailHash?: Buffer } = {},
): Promise<TestUser> {
  const userId = newId();
  const email = user.email ?? `${userId}@example.test`;
  await sql`
    insert into users (id, email, display_name, created_at, last_login_at, address_hash)
    values (${userId}, ${email}, ${user.displayName ?? 'Somebody'}, ${user.createdAt ?? new Date()},
            ${user.createdAt ?? new Date()}, ${user.emailHash ?? null})`;
  return { userId, email };
}

/** A session by SQL alone, 30 days long from now unless said otherwise. Returns its id, its token and the signed cookie value. */
export async function insertSession(
  sql: Executor,
  userId: string,
  secret: string,
  times: { createdAt?: Date; expiresAt?: Date; address?: string } = {},
) {
  const sessionId = newId();
  const token = randomUUID().replaceAll('-', '');
  const createdAt = times.createdAt ?? new Date();
  const expiresAt = times.expiresAt ?? new Date(createdAt.getTime() + 30 * 86_400_000);
  await sql`
    insert into sessions (id, user_id, token, created_at, updated_at, confirmed_at, expires_at, ip_address)
    values (${sessionId}, ${userId}, ${token}, ${createdAt}, ${createdAt}, ${createdAt}, ${expiresAt}, ${times.address ?? ''})`;
  return { sessionId, token, cookieValue: encodeURIComponent(signSessionToken(token, secret)) };
}

/** A subscription, of Pro and for 30 more days unless said otherwise; it replaces the user's former one. */
export async function insertSubscription(
  sql: Executor,
  userId: string,
  subscription: {
    planKey?: PlanKey;
    cycle?: Cycle;
    provider?: Provider;
    active?: boolean;
    expiresAt?: Date | null;
  } = {},
): Promise<void> {
  const inAMonth = new Date(Date.now() + 30 * 86_400_000);
  const { planKey = 'gemini_pro', cycle = 'monthly', provider = 'creem', active = true } = subscription;
  const expiresAt = subscription.expiresAt === undefined ? inAMonth : subscription.expiresAt;
  await sql`
    insert into subscriptions (user_id, plan_key, cycle, provider, state, active, expires_at, access_until)
    values (${userId}, ${planKey}, ${cycle}, ${provider}, ${active ? 'active' : 'expired'}, ${active}, ${expiresAt}, ${expiresAt})
    on conflict (user_id) do update set plan_key = excluded.plan_key, cycle = excluded.cycle,
      provider = excluded.provider, active = excluded.active, expires_at = excluded.expires_at,
      state = excluded.state, access_until = excluded.access_until, updated_at = now()`;
}
