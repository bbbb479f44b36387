import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { selectUsedProviders } from './store.ts';

/** Throws `not_configured` where the settings of a provider that was sold through are missing: its facts would be judged wrongly. */
export async function requireProviders({
  database,
  providers,
}: Pick<Deps, 'database' | 'providers'>): Promise<void> {
  const missing = (await selectUsedProviders(database.sql)).find((name) => !providers[name]);
  if (missing) throw new AppError('not_configured', { setting: `${missing.toUpperCase()}_API_KEY` });
}

/**
 * Throws `not_configured` where facts are to change what somebody has and the server’s secret is missing, by which the mailboxes of
 * disputes are known: what is withheld from one of them could be granted. Throws as `requireProviders` too.
 */
export async function requireSecretAndProviders(
  deps: Pick<Deps, 'config' | 'database' | 'providers'>,
): Promise<void> {
  if (deps.config.authSecret === '') throw new AppError('not_configured', { setting: 'AUTH_SECRET' });
  await requireProviders(deps);
}
