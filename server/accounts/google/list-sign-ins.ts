import type { SignInMethod } from '#contract/accounts/google.ts';
import type { Deps } from '#server/deps.ts';
import { selectIdentities } from './sign-in-method-store.ts';

/** The caller's ways in; the password, which is one at most, first. */
export async function listSignIns(
  { database }: Pick<Deps, 'database'>,
  userId: string,
): Promise<SignInMethod[]> {
  const rows = await selectIdentities(database.sql, userId);
  return rows.map(({ id, provider, accountName, createdAt }) => ({
    id: provider === 'google' ? id : null,
    provider: provider === 'google' ? 'google' : 'password',
    account: accountName,
    createdAt: createdAt.getTime(),
  }));
}
