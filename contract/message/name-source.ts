import type { SourcesPart } from './parts.ts';

/**
 * Google gives addresses of its own that lead on to a page, with the name of the page's host as title
 * (ai.google.dev/gemini-api/docs/google-search).
 */
const REDIRECT_HOST = 'vertexaisearch.cloud.google.com';
const HOST_NAME =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]{1,62}$/u;

/**
 * What a source is called: its title, or where there is none its site or address; and the site, which is the host in Punycode: empty
 * where it is not known or the title says it already.
 */
export function nameSource({ url, title }: SourcesPart['sources'][number]): { title: string; site: string } {
  const own = title.replace(/\p{Cc}|\p{Bidi_Control}/gu, '').trim();
  const site = siteOf(url, own);
  const shown = own || site || url;
  return { title: shown, site: site === shown.toLowerCase() ? '' : site };
}

function siteOf(url: string, title: string): string {
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) return '';
  if (address.hostname !== REDIRECT_HOST) return address.host;
  return HOST_NAME.test(title) ? (URL.parse(`https://${title}`)?.hostname ?? '') : '';
}
