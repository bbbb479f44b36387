const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' });
const WIDE = /[\u2e80-\uffef]/;

/** Cuts a text into pieces of a few characters, never inside what a reader sees as one character. */
export function* splitPieces(text: string, dice: () => number): Generator<string, void> {
  let piece = '';
  let room = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (room <= 0) {
      if (piece !== '') yield piece;
      piece = '';
      room = 3 + dice() * 5;
    }
    piece += segment;
    room -= WIDE.test(segment) ? 2.5 : 1;
  }
  if (piece !== '') yield piece;
}
