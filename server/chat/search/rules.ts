/**
 * The pieces of a word by which the index is asked, the fewest that leave little to compare: every three of ASCII, every two
 * where one is not, the character of a word that has only one. They are among those of `search_grams` for a text with that word.
 */
export function gramsOf(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return characters;
  const isAscii = (at: number) => (characters[at]?.codePointAt(0) ?? 128) < 128;
  return characters.flatMap((one, at) => {
    const [two, three] = [characters[at + 1], characters[at + 2]];
    const isTriple = isAscii(at) && isAscii(at + 1) && isAscii(at + 2);
    const endsTriple = isAscii(at - 1) && isAscii(at) && isAscii(at + 1);
    if (isTriple) return [`${one}${two}${three}`];
    return two === undefined || endsTriple ? [] : [`${one}${two}`];
  });
}
