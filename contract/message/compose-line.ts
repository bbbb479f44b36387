import { nameSource } from './name-source.ts';
import type { SourcesPart } from './parts.ts';

/** What Markdown takes for more than text: an underscore only at the edge of a word, an ampersand only of an entity. */
const MARKUP = /[[\]\\<>`*~]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Text of others as one line of Markdown that is nothing but text. */
export function composeLine(text: string): string {
  return text
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(MARKUP, '\\$&');
}

/** A web address that can be followed; anything else as text. */
export function composeAddress(url: string): string {
  return isOfWeb(url) ? `<${encodeSpaces(url)}>` : composeLine(url);
}

/** No other address leads to a page: a link may also run a script. */
function isOfWeb(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

/** A source: its title, which leads to its page, and the site where the title does not say it. */
export function composeSource(source: SourcesPart['sources'][number]): string {
  const { title, site } = nameSource(source);
  const name = composeLine(title) || '?';
  const link = isOfWeb(source.url) ? `[${name}](<${encodeSpaces(source.url)}>)` : name;
  return site === '' ? link : `${link} · ${composeLine(site)}`;
}

/** What would end an address in Markdown is encoded. */
function encodeSpaces(url: string): string {
  return url.replace(/[<>\s]/g, encodeURIComponent);
}
