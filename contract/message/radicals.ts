/** Radicals of the supplement that stand for a word, each with that word (unicode.org/Public/UCD/latest/ucd/EquivalentUnifiedIdeograph.txt). */
const WORDS =
  '⺟母⺠民⻁虎⻄西⻅见⻆角⻉贝⻋车⻑長⻓长⻔门⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻬齐⻮齿⻰龙⻳龟';
const WORD_OF = new Map(
  Array.from(WORDS.matchAll(/(.)(.)/gu), ([, radical = '', word = '']) => [radical, word]),
);

/**
 * Writes words where a PDF says radicals: a browser that prints names a glyph by the first of its characters, so that 方 becomes U+2F45,
 * which a search for 方 does not find and screen readers do not read.
 */
export function replaceRadicals(text: string): string {
  return text.replace(/[\u2e80-\u2fdf]/g, (radical) => WORD_OF.get(radical) ?? radical.normalize('NFKC'));
}
