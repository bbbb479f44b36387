const PROTOCOLS = ['http:', 'https:', 'mailto:'];
/** What a reader takes for the name of a host. */
const HOST = /(?:^|[\s/@(（“"'])((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,})/u;

/** The address of a link out of an answer as it may be followed, or null: only the web and mail, never a script or a file. */
export function safeAddress(href: string): URL | null {
  const url = URL.parse(href);
  return url && PROTOCOLS.includes(url.protocol) ? url : null;
}

/** The host that a link really leads to, when its text makes believe another one; else null. */
export function disguisedHost(url: URL, text: string): string | null {
  if (!url.protocol.startsWith('http')) return null;
  if (url.username !== '' || url.password !== '') return url.host;
  const shown = HOST.exec(text)?.[1];
  if (shown === undefined) return null;
  const claimed = URL.parse(`http://${shown}`)?.hostname ?? shown;
  return bare(claimed) === bare(url.hostname) ? null : url.host;
}

function bare(host: string): string {
  return host.toLowerCase().replace(/^www\./, '');
}
