import { BlockList, isIP, isIPv4 } from 'node:net';

/** IANA, IPv4 Special-Purpose Address Registry, and all of multicast: what is not globally reachable as one host. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Of no list: on Azure it is the host's own service.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** The part of IPv6 in which hosts have addresses; IPv4-mapped, NAT64, local and multicast ones lie outside of it. */
const UNICAST_V6 = '2000::/3';
/** What lies inside and is none: protocol assignments with Teredo, documentation, 6to4, and AS112. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const special = new BlockList();
const unicast = new BlockList();
for (const range of SPECIAL_V4) addTo(special, range);
for (const range of SPECIAL_V6) addTo(special, range);
addTo(unicast, UNICAST_V6);

function addTo(list: BlockList, range: string) {
  const [net = '', prefix] = range.split('/');
  list.addSubnet(net, Number(prefix), isIPv4(net) ? 'ipv4' : 'ipv6');
}

/**
 * Whether an IP address is one of the public Internet. False for everything that can mean a host of ours or of our network, in
 * whatever form: loopback, private, shared (CGNAT), link-local, multicast, IPv4 within IPv6, and what is no address.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, 'ipv4');
  return version === 6 && unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
