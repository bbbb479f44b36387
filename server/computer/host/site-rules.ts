import { isIP } from 'node:net';
import { getDomain } from 'tldts-icann';
import { isPublicAddress } from '#server/platform/fetch/public-address.ts';

export type TestHosts = Readonly<Record<string, string>>;

/** A request of the browser, with the fields that the rules read. */
export interface PageRequest {
  url: string;
  method: string;
  /** The resource type of Chromium: `Document`, `Image`, `XHR` … */
  type: string;
  /** True for a navigation of the tab itself, not of a frame in it. */
  isMain: boolean;
  /** The renderer reported that the navigation is that of a form. */
  isForm: boolean;
  isServiceWorker: boolean;
}

export type Verdict =
  /** `passive`: a site that is not allowed may send it, because the page only draws or runs it. */
  | { act: 'pass'; site: string; host: string; reach: 'full' | 'passive' }
  | { act: 'ask'; site: string; host: string; kind: 'new_site' | 'cross_site_form' }
  | { act: 'refuse'; site: string };

/** Resource types that a page may load from any site, as in any browser; their content cannot be read by its scripts. */
const PASSIVE = new Set(['Script', 'Stylesheet', 'Image', 'Font', 'Media', 'TextTrack']);
const PORTS = new Set(['', '80', '443']);

/** The site of an address: its registrable domain, a test host, or an address literal. Null for what is not http(s). */
export function siteOf(address: string, testHosts: TestHosts): string | null {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null;
  return siteOfHost(url.hostname, testHosts) ?? url.hostname;
}

/** The site of the document at an address: of a `blob:` that of the page that made it. Null for one of no site, such as `data:`. */
export function siteOfDocument(address: string, testHosts: TestHosts): string | null {
  const url = URL.parse(address);
  return siteOf(url?.protocol === 'blob:' ? url.origin : address, testHosts);
}

/** The site of a host's name in small letters: its registrable domain, or the name of a test host; null where it has neither. */
export function siteOfHost(host: string, testHosts: TestHosts): string | null {
  return Object.hasOwn(testHosts, host) ? host : getDomain(host);
}

/**
 * The rule about sites. A navigation of the tab waits for the user when its site is not allowed yet, and so does a form that goes
 * to another site, or out of a document of no site (null). What a page loads to draw or run itself passes from public hosts; all else to
 * a site that is not allowed is refused: frames, fetches, beacons, forms in frames. No test host that is not allowed is reached at all.
 */
export function judgeRequest(
  request: PageRequest,
  from: string | null,
  allowed: ReadonlySet<string>,
  testHosts: TestHosts,
): Verdict {
  const site = siteOf(request.url, testHosts);
  const url = URL.parse(request.url);
  if (site === null || url === null || request.isServiceWorker || !isFit(url, testHosts))
    return { act: 'refuse', site: site ?? '' };
  const host = url.hostname;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const isNavigation = request.type === 'Document';
  const sendsAway = isNavigation && from !== site && (request.isForm || !reads);
  const isAllowed = allowed.has(site);
  if (request.isMain && sendsAway) return { act: 'ask', site, host, kind: 'cross_site_form' };
  if (request.isMain && !isAllowed) return { act: 'ask', site, host, kind: 'new_site' };
  if (isAllowed) {
    return sendsAway
      ? { act: 'ask', site, host, kind: 'cross_site_form' }
      : { act: 'pass', site, host, reach: 'full' };
  }
  const isTestHost = Object.hasOwn(testHosts, host) || host.endsWith('.test');
  if (PASSIVE.has(request.type) && reads && !isTestHost) return { act: 'pass', site, host, reach: 'passive' };
  return { act: 'refuse', site };
}

/** Whether a URL may leave the machine at all: a usual port, and not the literal of a host that is not public. */
function isFit({ hostname, port }: URL, testHosts: TestHosts): boolean {
  if (Object.hasOwn(testHosts, hostname)) return port === '';
  const literal = hostname.replace(/^\[|\]$/g, '');
  return PORTS.has(port) && (isIP(literal) === 0 || isPublicAddress(literal));
}

/** The content security policy of documents: where their scripts may connect. The interception of requests does not see sockets. */
export function policyFor(allowed: ReadonlySet<string>, testHosts: TestHosts): string {
  const hosts = [...allowed].flatMap((site) =>
    isIP(site) !== 0 || Object.hasOwn(testHosts, site) ? [site] : [site, `*.${site}`],
  );
  const sources = hosts.flatMap((host) =>
    ['http', 'https', 'ws', 'wss'].map((scheme) => `${scheme}://${host}`),
  );
  return `connect-src data: blob: ${sources.join(' ')}; webrtc 'block'`;
}
