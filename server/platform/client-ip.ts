import { BlockList, isIPv6, SocketAddress } from 'node:net';

/**
 * The IP address that a request comes from. With `trustProxy` proxies in front, each of which adds the address it saw to the right
 * end of `X-Forwarded-For`, it is the entry that the outermost of them added; any client could have sent what stands left of it.
 */
export function clientIp(peer: string, forwardedFor: string | undefined, trustProxy: number): string {
  if (trustProxy === 0) return peer;
  const seen = (forwardedFor ?? '').split(',').map((part) => part.trim());
  return parseIp(seen.at(-trustProxy) ?? '') ?? peer;
}

function parseIp(text: string): string | null {
  const family = isIPv6(text) ? 'ipv6' : 'ipv4';
  try {
    return new SocketAddress({ address: text, family }).address;
  } catch {
    return null;
  }
}

/** What one household or server shares: an IPv4 address, the /64 of an IPv6 one (RFC 6177), every spelling alike. */
export function networkOf(ip: string): string {
  return ipv4Of(ip) ?? ipv6Network(ip, 4);
}

/** What an attacker can rent at once for little money: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function neighbourhoodOf(ip: string): string {
  const ipv4 = ipv4Of(ip);
  return ipv4 === null ? ipv6Network(ip, 3) : ipv4.replace(/\.\d+$/, '.0/24');
}

/** An IPv4 address, also where it is written as an IPv6 one; null for any other. */
function ipv4Of(ip: string): string | null {
  if (!isIPv6(ip)) return ip;
  const groups = expandIpv6(ip);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return null;
  return [6, 7].flatMap((at) => [(groups[at] ?? 0) >> 8, (groups[at] ?? 0) & 255]).join('.');
}

/** The network of an IPv6 address that its first groups of 16 bits name. */
function ipv6Network(ip: string, groups: number): string {
  const prefix = expandIpv6(ip).slice(0, groups);
  return `${prefix.map((group) => group.toString(16)).join(':')}::/${16 * groups}`;
}

/** The eight 16-bit groups of a valid IPv6 address. */
function expandIpv6(ip: string): number[] {
  const plain = (ip.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [left = '', right] = plain.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const head = parse(left);
  const tail = right === undefined ? [] : parse(right);
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether the IP address belongs to this machine itself. */
export function isLoopbackIp(ip: string): boolean {
  const plain = networkOf(ip);
  return ip === '::1' || (!plain.includes(':') && loopback.check(plain));
}
