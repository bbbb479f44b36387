/** Levels of lists and quotations that are read as such; no answer that means something has more. */
const DEEPEST = 30;
const ABYSS = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])(?=[ \\t>]|$)){${DEEPEST},}`, 'gm');
const FAR_IN = /^[ \t]{80,}(?=\S)/gm;

/**
 * The text with marks that open more levels than anybody reads made into letters, so that nobody who reads it recursively falls
 * in; its length stays the same.
 */
export function limitNesting(text: string): string {
  if (!isDeep(text)) return text;
  const fill = (marks: string) => 'x'.repeat(marks.length);
  return text.replace(ABYSS, fill).replace(FAR_IN, fill);
}

/** Does a line open more levels than anybody reads? */
export function isDeep(text: string): boolean {
  ABYSS.lastIndex = 0;
  FAR_IN.lastIndex = 0;
  return ABYSS.test(text) || FAR_IN.test(text);
}
