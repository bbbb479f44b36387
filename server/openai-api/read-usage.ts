import type { Language } from '#contract/choices.ts';
import { csvLine, UTF8_MARK } from '#contract/csv-line.ts';
import type { Usage } from '#contract/keys.ts';
import type { Deps } from '#server/deps.ts';
import { translate } from '#server/platform/translate.ts';
import { selectUsage } from './store.ts';

/** What the user's API requests came to between two days in UTC, both included, by day, model and key. */
export async function readUsage(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  days: { from: string; to: string },
): Promise<Usage> {
  return { ...days, rows: await selectUsage(database.sql, userId, days) };
}

const COLUMNS = ['day', 'model', 'key', 'requests', 'credits'] as const;

/** Usage for a spreadsheet; days are in UTC. */
export function presentUsageCsv({ rows }: Usage, language: Language): string {
  const head = COLUMNS.map((column) => translate(language, `keys.usage.column.${column}`));
  const lines = rows.map((row) => [
    row.day,
    row.model,
    row.keyName ?? translate(language, 'keys.usage.ownPage'),
    row.requests,
    row.credits,
  ]);
  return UTF8_MARK + [head, ...lines].map(csvLine).join('');
}
