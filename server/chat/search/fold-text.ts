/** Text as search compares it: one width (NFKC) and one case. A folded text folds to itself. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}
