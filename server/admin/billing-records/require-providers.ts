import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { selectUsedProviders } from './store.ts';

/**
 * Throws `not_configured` where what was sold would be judged wrongly: without the settings of a provider that it was sold through, or
 * without the server's secret, by which the mailboxes of disputes are known.
 */
export async function requireProviders({
  config,
  database,
  providers,
}: Pick<Deps, 'config' | 'database' | 'providers'>): Promise<void> {
  const used = await selectUsedProviders(database.sql);
  const missing = used.find((name) => !providers[name]);
  if (missing) throw new AppError('not_configured', { setting: `${missing.toUpperCase()}_API_KEY` });
  if (used.length > 0 && config.authSecret === '')
    throw new AppError('not_configured', { setting: 'AUTH_SECRET' });
}
