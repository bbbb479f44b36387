import type { ChangeProfile } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { requireName } from '#server/platform/clean-text.ts';
import { publishProfile } from './publish-profile.ts';
import { updateProfile } from './store.ts';

/** Changes the caller's name or the language in which they are written to. Throws `invalid_request` for a name of nothing. */
export async function changeProfile(
  deps: Pick<Deps, 'database' | 'bus'>,
  userId: string,
  { displayName, language }: ChangeProfile,
): Promise<void> {
  const name = displayName === undefined ? null : requireName(displayName, 'displayName');
  await updateProfile(deps.database.sql, userId, { name, language: language ?? null });
  if (name !== null) await publishProfile(deps, userId);
}
