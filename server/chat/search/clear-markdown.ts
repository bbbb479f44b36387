/** What is written to be read by the renderer alone; each pattern looks at a place once, so that a long text takes no longer. */
const MARKS: readonly [RegExp, string][] = [
  // A run of blanks is one: the patterns below would look at it again from each of its places.
  [/[ \t]{2,}/g, ' '],
  // Fences, rules and the line under a table's head.
  [/^[ \t]*(?:`{3,}|~{3,})[^\n`]{0,100}$/gm, ''],
  [/^[ \t]*[-*_](?:[ \t]?[-*_]){2,}[ \t]*$/gm, ''],
  [/^[ \t]*\|?[ \t]*:?-[-:| \t]*$/gm, ''],
  // What begins a line: headings, quotes, items of lists.
  [/^[ \t]{0,12}(?:>[ \t]?){1,9}/gm, ''],
  [/^[ \t]{0,12}#{1,6}[ \t]+/gm, ''],
  [/^[ \t]{0,12}[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/gm, ''],
  // Links and pictures are their words.
  [/!?\[([^[\]\n]{0,300})\]\([^()\s]{0,500}(?: "[^"\n]{0,100}")?\)/g, '$1'],
  [/\*\*|~~|`/g, ''],
  [/(?<![\p{L}\p{N}_])__(?=\S)|(?<=\S)__(?![\p{L}\p{N}_])/gu, ''],
  // Single signs around words: not those of `2 * 3`, `2*3` and `snake_case`.
  [/(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])/g, ''],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])|(?<=[^\s_])_(?![\p{L}\p{N}_])/gu, ''],
  [/[ \t]*\|[ \t]*/g, ' '],
];

/** The words of an answer without the marks of Markdown, roughly: for an excerpt, not for a page. */
export function clearMarkdown(markdown: string): string {
  return MARKS.reduce((text, [mark, words]) => text.replace(mark, words), markdown).replace(/\n{2,}/g, '\n');
}
