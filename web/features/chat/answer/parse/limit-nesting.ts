/** Levels of lists and quotations that the parser reads; no useful answer has more. */
const MAX_LEVELS = 30;
const NESTED_MARKS = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])(?=[ \\t>]|$)){${MAX_LEVELS},}`, 'gm');
const DEEP_INDENT = /^[ \t]{80,}(?=\S)/gm;

/**
 * Turns marks that open more than `MAX_LEVELS` levels into letters, so that a recursive parser does not overflow its stack. The
 * length stays the same.
 */
export function limitNesting(text: string): string {
  if (!isDeep(text)) return text;
  const fill = (marks: string) => 'x'.repeat(marks.length);
  return text.replace(NESTED_MARKS, fill).replace(DEEP_INDENT, fill);
}

/** Whether a line opens more than `MAX_LEVELS` levels. */
export function isDeep(text: string): boolean {
  NESTED_MARKS.lastIndex = 0;
  DEEP_INDENT.lastIndex = 0;
  return NESTED_MARKS.test(text) || DEEP_INDENT.test(text);
}
