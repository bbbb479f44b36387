import type { Usage } from '#contract/keys.ts';
import { csvLine } from '#server/credits/present-csv.ts';
import { type Language, translate } from '#server/platform/translate.ts';

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
