/** Full-width punctuation ends a bare address: `https://example.com。后面` is not one address. */
const FULL_WIDTH = '\\u3000-\\u303f\\uff00-\\uffef“”‘’…—';
/** A bare address up to full-width punctuation; not one that stands in `<…>`, in quotes or in the brackets of a link. */
const BARE = new RegExp(`(?<![\\w<["'=]|\\]\\()https?://[^\\s<>\`${FULL_WIDTH}]+(?=[${FULL_WIDTH}])`, 'g');
const CODE = /(`+)[\s\S]*?\1(?!`)/g;

/**
 * Puts `<…>` around bare addresses that full-width punctuation follows, outside code. GFM knows only ASCII punctuation as the end of
 * one (https://github.github.com/gfm/#autolinks-extension-) and would take the Chinese sentence behind it into the link.
 */
export function boundLinks(source: string): string {
  if (!source.includes('://')) return source;
  let bound = '';
  let from = 0;
  for (const code of source.matchAll(CODE)) {
    bound += source.slice(from, code.index).replace(BARE, '<$&>') + code[0];
    from = code.index + code[0].length;
  }
  return bound + source.slice(from).replace(BARE, '<$&>');
}
