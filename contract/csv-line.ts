/** Spreadsheets take a file for UTF-8 only with this mark in front. */
export const UTF8_MARK = '\ufeff';

/**
 * One line of RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front, as OWASP's
 * "CSV Injection" advises; signs in full width count too, and numbers stay numbers.
 */
export function csvLine(fields: (string | number | null)[]): string {
  const cells = fields.map((field) => {
    if (typeof field !== 'string') return String(field ?? '');
    const text = /^[=+\-@\t\r\n＝＋－＠]/.test(field) ? `'${field}` : field;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${cells.join(',')}\r\n`;
}
