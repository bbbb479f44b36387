import { getDomain } from 'tldts-icann';

const MAX_SITES = 20;
/** What may stand for a host in what a user writes: after a scheme, or a name with a dot by itself. */
const HOST =
  /(?:https?:\/\/)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}]{2,})(?![\p{L}\p{N}@])/giu;

/** The site of a host: its registrable domain, or the whole name of a test host; null where it is neither. */
function siteOf(host: string, testHosts: Readonly<Record<string, string>>): string | null {
  const name = host.toLowerCase();
  return Object.hasOwn(testHosts, name) ? name : getDomain(name);
}

/** The sites that the user's own words name: those are allowed without being asked for. An address of mail names none. */
export function namedSites(text: string, testHosts: Readonly<Record<string, string>>): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(HOST)) {
    if (text[match.index - 1] === '@') continue;
    const site = siteOf(match[1] ?? '', testHosts);
    if (site !== null && found.size < MAX_SITES) found.add(site);
  }
  return [...found];
}
