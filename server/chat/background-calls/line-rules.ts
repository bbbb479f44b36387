import { cleanTitle } from '../message-store/rules.ts';

const LINE_MARK = /^(#{1,6}|[-*+>]|\d+\.)\s+/;
const EMPHASIS = /\*+|`+|__+|<\/?[a-z]+>/gi;

/** Longer than anything that is written aside; what a model writes beyond is not read. In UTF-16 code units. */
export const MAX_WRITTEN = 1_000;

/** The lines of what a model wrote that say something, as far as it is read. */
export function linesIn(written: string): string[] {
  return written
    .slice(0, MAX_WRITTEN)
    .split(/[\r\n\u2028\u2029]+/)
    .filter(saysAnything);
}

/** Whether a text has a letter or a digit. */
export function saysAnything(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** A line without the marks of Markdown, of HTML and of direction. */
export function bareLine(line: string): string {
  return cleanTitle(line).replace(EMPHASIS, '').trim().replace(LINE_MARK, '');
}
