import { readEmailState } from '#server/accounts/email/read-email-state.ts';
import { listSignIns } from '#server/accounts/google/list-sign-ins.ts';
import { listPasskeys } from '#server/accounts/passkeys/list-passkeys.ts';
import { readSecondFactor } from '#server/accounts/second-factor/read-second-factor.ts';
import { readRecipient } from '#server/accounts/users/read-recipient.ts';
import { readUserRecord } from '#server/accounts/users/read-user-record.ts';
import { readSubscription } from '#server/billing/state/read-subscription.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import type { Deps } from '#server/deps.ts';

/**
 * The user record, the address with its change under way, the language of mails, and the ways in to the account, as they are exported.
 * Throws as `readUserRecord` does.
 */
export async function readProfile(
  deps: Pick<Deps, 'database' | 'clock' | 'config' | 'providers'>,
  userId: string,
) {
  const record = await readUserRecord(deps, userId, {
    readBalance: (id) => readBalance(deps, id),
    readSubscription: (id) => readSubscription(deps, id),
  });
  const { verified, change } = await readEmailState(deps, { userId, sessionId: '' });
  const recipient = await readRecipient(deps.database.sql, userId);
  return {
    ...record,
    emailVerified: verified,
    emailChange: change,
    language: recipient?.language ?? null,
    signsInBy: await listWaysIn(deps, userId),
  };
}

/** By what a user signs in, what that is called, and since when, in epoch milliseconds. Without secrets. */
async function listWaysIn(deps: Pick<Deps, 'database'>, userId: string) {
  const [signIns, passkeys, { since }] = await Promise.all([
    listSignIns(deps, userId),
    listPasskeys(deps, userId),
    readSecondFactor(deps, userId),
  ]);
  return [
    ...signIns.map(({ provider, account, createdAt }) => ({ by: provider, name: account, since: createdAt })),
    ...passkeys.map(({ name, createdAt, usedAt }) => ({ by: 'passkey', name, since: createdAt, usedAt })),
    ...(since === null ? [] : [{ by: 'second_factor', name: null, since }]),
  ];
}
