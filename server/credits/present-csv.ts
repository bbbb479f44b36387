import type { Language } from '#contract/choices.ts';
import type { LedgerEntry } from '#contract/credits.ts';
import { translate } from '#server/platform/translate.ts';
import { isLedgerReason } from './rules.ts';

/** Spreadsheets take a file for UTF-8 only with this mark in front. */
const MARK = '\ufeff';

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
  ];
  return MARK + csvLine(columns.map((key) => translate(language, key)));
}

/** A line of the ledger for a spreadsheet: times in UTC, kinds and reasons in words. */
export function presentCsvEntry(entry: LedgerEntry, language: Language): string {
  const { kind, reason, keyName } = entry;
  const why = isLedgerReason(reason) ? translate(language, `ledger.reason.${reason}`) : reason;
  return csvLine([
    new Date(entry.time).toISOString().slice(0, 19).replace('T', ' '),
    translate(language, `ledger.kind.${kind}`),
    entry.amount,
    entry.balanceAfter,
    keyName ? translate(language, 'ledger.byKey', { reason: why, key: keyName }) : why,
    entry.messageId,
    entry.orderId,
  ]);
}

/**
 * One line of RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front, as OWASP's
 * "CSV Injection" advises; numbers stay numbers.
 */
export function csvLine(fields: (string | number | null)[]): string {
  const cells = fields.map((field) => {
    if (typeof field !== 'string') return String(field ?? '');
    const text = /^[=+\-@\t\r]/.test(field) ? `'${field}` : field;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${cells.join(',')}\r\n`;
}
