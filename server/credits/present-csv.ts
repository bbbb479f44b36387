import type { Language } from '#contract/choices.ts';
import type { LedgerEntry } from '#contract/credits.ts';
import { csvLine, UTF8_MARK } from '#contract/csv-line.ts';
import { translate } from '#server/platform/translate.ts';
import { isLedgerReason } from './rules.ts';

/** The first line of the file: the mark, then the names of the columns. */
export function presentCsvHeader(language: Language): string {
  const columns = [
    'ledger.column.time',
    'ledger.column.kind',
    'ledger.column.amount',
    'ledger.column.balance',
    'ledger.column.reason',
    'ledger.column.message',
    'ledger.column.order',
    'ledger.column.model',
    'ledger.column.version',
    'ledger.column.lines',
    'ledger.column.input',
    'ledger.column.output',
  ];
  return UTF8_MARK + csvLine(columns.map((key) => translate(language, key)));
}

/** A line of the ledger for a spreadsheet: times in UTC, kinds and reasons in words. */
export function presentCsvEntry(entry: LedgerEntry, language: Language): string {
  const { kind, reason, keyName, lines = [], usage } = entry;
  const why = isLedgerReason(reason) ? translate(language, `ledger.reason.${reason}`) : reason;
  return csvLine([
    new Date(entry.time).toISOString().slice(0, 19).replace('T', ' '),
    translate(language, `ledger.kind.${kind}`),
    entry.amount,
    entry.balanceAfter,
    keyName ? translate(language, 'ledger.byKey', { reason: why, key: keyName }) : why,
    entry.messageId,
    entry.orderId,
    entry.model ?? null,
    entry.modelVersion ?? null,
    lines.map((line) => `${translate(language, `priceLine.${line.kind}`)} ${line.credits}`).join('; '),
    usage?.inputTokens ?? null,
    usage?.outputTokens ?? null,
  ]);
}
