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
