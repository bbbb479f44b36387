import type { Language } from '#contract/choices.ts';
import type { DataExport } from '#contract/personal-data.ts';
import type { Actor } from '#server/accounts/sessions/authenticate.ts';
import { requireConfirmed } from '#server/accounts/sessions/require-confirmed.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { insertExport, isExporting } from './export-store.ts';
import { presentExport } from './list-exports.ts';

const PER_USER: RateLimit = { max: 5, windowSeconds: 86_400 };

/**
 * Has a ZIP made of everything that is kept of the caller; asking again while one is made is asking once. Throws
 * `confirmation_required`, `rate_limited`.
 */
export async function requestExport(
  deps: Pick<Deps, 'database' | 'clock'>,
  actor: Actor,
  language: Language,
): Promise<DataExport> {
  await requireConfirmed(deps, actor);
  const { sql } = deps.database;
  const { userId } = actor;
  if (!(await isExporting(sql, userId))) {
    const seconds = await takeRateLimit(sql, `export:${userId}`, PER_USER, deps.clock.databaseTime());
    if (seconds > 0) throw new AppError('rate_limited', { seconds });
  }
  return presentExport(await insertExport(sql, userId, language, deps.clock.now()));
}
