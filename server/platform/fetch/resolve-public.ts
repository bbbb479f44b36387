import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from './public-address.ts';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<string[]>;

/**
 * The addresses that a host stands for, a name or an address as URLs write it; none where the name is not found. Null unless each of
 * them is one of the public Internet and none of this machine's: a name with one good address and one bad one is a trap.
 */
export async function resolvePublic(
  host: string,
  resolve: Resolve = (name) => resolveName(name),
): Promise<string[] | null> {
  const name = host.replace(/^\[|\]$/g, '');
  const addresses = isIP(name) === 0 ? await resolve(name) : [name];
  const own = new Set(
    Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address)),
  );
  return addresses.every((each) => isPublicAddress(each) && !own.has(each)) ? addresses : null;
}

/** So often and so long, in milliseconds, is a name server asked. */
const TRIES = { tries: 2, timeout: 2_000 };

/**
 * All addresses of a name, IPv4 first; none where its servers say nothing. Those of the system are asked (or `servers`, for tests),
 * and not its resolver: that looks two names up at a time for the whole process, the providers' too, however long one takes.
 */
export async function resolveName(name: string, servers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver(TRIES);
  if (servers) resolver.setServers(servers);
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}
