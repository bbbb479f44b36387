import { cleanName } from '#server/platform/clean-text.ts';

const TITLE_GRAPHEMES = 40;
/** Code units looked at for a title; one grapheme may be arbitrarily long. */
const TITLE_SOURCE = 400;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The title of a conversation: the first line of its first prompt, cut after about 40 characters as a reader counts them. */
export function titleOf(prompt: string): string {
  const line = (prompt.split(/[\r\n\u2028\u2029]/, 1)[0] ?? '').slice(0, TITLE_SOURCE).trim();
  if (line.length <= TITLE_GRAPHEMES) return line.toWellFormed();
  const found: string[] = [];
  for (const { segment } of graphemes.segment(line)) {
    if (found.length === TITLE_GRAPHEMES) return `${found.join('').trimEnd()}…`.toWellFormed();
    found.push(segment);
  }
  return found.join('').toWellFormed();
}

/** How long a deleted conversation can be brought back. */
export const UNDO_MS = 5 * 60_000;

/** A title as a user gives it, as one line without control characters; empty when nothing visible is left. */
export function cleanTitle(title: string): string {
  return cleanName(title).replace(/\s+/gu, ' ');
}
