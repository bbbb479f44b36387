/** A line of nothing but marks of a list, one within the other, and perhaps the beginning of a task. */
const BARE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]?\]?)?$/;

/** A text that goes on, without the mark of a list that stands alone at its end: the item is drawn once it has a word. */
export function holdBareMark(source: string): string {
  const text = source.trimEnd();
  const from = text.lastIndexOf('\n') + 1;
  return BARE.test(text.slice(from)) ? source.slice(0, from) : source;
}
