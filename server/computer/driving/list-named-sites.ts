import { siteOfHost, type TestHosts } from '../host/site-rules.ts';

const MAX_SITES = 20;
/** The end of a name: no character of a name follows, or a Chinese one, because Chinese is written without spaces. */
const END = String.raw`(?!(?!\p{Script=Han})[\p{L}\p{N}@])`;
/** A name with a dot, in ASCII, that is no part of a longer one; Chinese may stand right before and after it. */
const ASCII_HOST = new RegExp(
  String.raw`(?<!(?!\p{Script=Han})[\p{L}\p{N}@.-]|\p{L}\.)((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})${END}(?!\.\p{L})`,
  'giu',
);
/** The same for names in any script. */
const HOST = new RegExp(
  String.raw`(?:https?:\/\/)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:[a-z]{2,}${END}|\p{L}{2,}(?![\p{L}\p{N}@])))`,
  'giu',
);

/** The sites named in the user's own words: they are allowed without a question. A mail address names none. */
export function listNamedSites(text: string, testHosts: TestHosts): string[] {
  const found = new Set<string>();
  const add = (host: string) => {
    const site = siteOfHost(host.toLowerCase(), testHosts);
    if (site !== null && found.size < MAX_SITES) found.add(site);
  };
  const rest = text.replaceAll(ASCII_HOST, (_, host: string) => {
    add(host);
    return ' ';
  });
  for (const match of rest.matchAll(HOST)) if (rest[match.index - 1] !== '@') add(match[1] ?? '');
  return [...found];
}
