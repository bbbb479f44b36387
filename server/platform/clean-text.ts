/** Text that PostgreSQL and JSON both take: without NUL, lone surrogates replaced by U+FFFD. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
