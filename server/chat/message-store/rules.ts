import { MINUTE_MS } from '#contract/time.ts';
import { cleanName } from '#server/platform/clean-text.ts';

const TITLE_GRAPHEMES = { wide: 40, narrow: 64 };
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u;
/** Code units looked at for a title; one grapheme may be arbitrarily long. */
const TITLE_SOURCE = 400;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The title of a conversation: the first line of its first prompt, cut between words after about 40 characters as a reader
 * counts them, or 64 where all of them are narrow, as Latin ones.
 */
export function titleOf(prompt: string): string {
  const line = (prompt.split(/[\r\n\u2028\u2029]/, 1)[0] ?? '').slice(0, TITLE_SOURCE).trim();
  const most = WIDE.test(line) ? TITLE_GRAPHEMES.wide : TITLE_GRAPHEMES.narrow;
  if (line.length <= most) return line.toWellFormed();
  const found: string[] = [];
  for (const { segment } of graphemes.segment(line)) {
    if (found.length === most) return `${wholeWords(found.join(''), segment)}…`.toWellFormed();
    found.push(segment);
  }
  return found.join('').toWellFormed();
}

/** The beginning of a line without a Latin word that was cut before `next`, unless there is little else. */
function wholeWords(cut: string, next: string): string {
  const isCut = /\p{Script=Latin}$/u.test(cut) && /^\p{Script=Latin}/u.test(next);
  const whole = isCut ? cut.replace(/\s+\S*$/u, '') : cut;
  return (whole.length < cut.length / 2 ? cut : whole).trimEnd();
}

/** How long a deleted conversation can be brought back. */
export const UNDO_MS = 5 * MINUTE_MS;

/** A title as a user gives it, as one line without control characters; empty when nothing visible is left. */
export function cleanTitle(title: string): string {
  return cleanName(title).replace(/\s+/gu, ' ');
}
