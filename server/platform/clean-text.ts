import { AppError } from '#server/errors.ts';

/** Marks that turn the direction of the text around them (Unicode Standard Annex 9, 2). */
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

/** Text that PostgreSQL and JSON both take: without NUL, lone surrogates replaced by U+FFFD. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** A JSON value with every text in it as `cleanText` makes it. */
export function cleanTexts<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? cleanText(each) : each,
  );
}

/**
 * A name as one line that shows in a page, a mail and a terminal as what it is: line ends are blanks; control characters, and marks
 * that turn the direction of text, go. Empty when nothing visible is left.
 */
export function cleanName(text: string): string {
  const line = cleanText(text)
    .replace(LINE_ENDS, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(BIDI, '')
    .trim();
  return /[^\p{Cf}\p{Zs}]/u.test(line) ? line : '';
}

/** The name in a field of a request. Throws `invalid_request` where nothing visible is in it. */
export function requireName(given: string, field: string): string {
  const name = cleanName(given);
  if (name === '') throw new AppError('invalid_request', { field });
  return name;
}

/** The first `max` UTF-16 code units, one less where the last would be half a character. */
export function limitText(text: string, max: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max);
}

/** Whether a UTF-16 code unit is the first half of a character of two. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
