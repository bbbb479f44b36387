const NAME = 'found';
const SHOWN_MS = 8000;
const MAX_PLACES = 200;

/** Marks every place of some words in an element for a while, without touching the document (https://drafts.csswg.org/css-highlight-api-1). */
export function highlightWords(element: Element, words: readonly string[]): void {
  if (!('highlights' in CSS)) return;
  const highlight = new Highlight(...placesOf(element, words));
  CSS.highlights.set(NAME, highlight);
  setTimeout(() => {
    if (CSS.highlights.get(NAME) === highlight) CSS.highlights.delete(NAME);
  }, SHOWN_MS);
}

function placesOf(element: Element, words: readonly string[]): Range[] {
  const places: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && places.length < MAX_PLACES; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        places.push(range);
      }
    }
  }
  return places;
}
