const SCRIPTS_WITHOUT_SPACES = /[\u2e80-\uffef]/g;
const WORDS = /[A-Za-z\u00c0-\u024f]+|\d|[^\sA-Za-z\d\u00c0-\u024f\u2e80-\uffef]/g;

/** A count of tokens near what a real tokenizer gives for Chinese and English. */
export function countTokens(text: string): number {
  const wide = text.match(SCRIPTS_WITHOUT_SPACES)?.length ?? 0;
  let words = 0;
  for (const [word] of text.matchAll(WORDS)) words += Math.ceil(word.length / 6);
  return Math.ceil(wide * 0.75) + words;
}
