import type { Language } from '#contract/choices.ts';
import type { Usage } from '#contract/keys.ts';
import { csvLine } from '#server/credits/present-csv.ts';
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

/** Spreadsheets take a file for UTF-8 only with this mark in front. */
const MARK = '\ufeff';
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
  return MARK + [head, ...lines].map(csvLine).join('');
}
