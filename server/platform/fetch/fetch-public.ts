import { request as requestPlain } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { anySignal } from './any-signal.ts';
import { type Resolve, resolvePublic } from './resolve-public.ts';

/** Why an address of a caller's was not fetched. It does not say whether a host that is not public is there. */
export class FetchRefused extends Error {}
export class FetchTooLarge extends FetchRefused {}

export interface PublicFetch {
  /** Most bytes of the answer. */
  limit: number;
  /** Time for all of it, redirects included. */
  timeoutMs: number;
  /** What the caller wants, as a header. */
  accept: string;
  /** Names that lead to a port of this machine, without TLS: for tests. By name, `host:port`. */
  testHosts: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** All addresses of a name; the system's resolver unless said otherwise. */
  resolve?: Resolve;
}

export interface Fetched {
  bytes: Buffer;
  /** As the other side says it. */
  type: string;
}

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches an `https:` address that a caller named, and no other than a public one: every address of its name is looked at, the
 * connection goes to the one that was looked at, and each redirect is a new address. Throws `FetchRefused`.
 */
export async function fetchPublic(address: string, options: PublicFetch): Promise<Fetched> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = anySignal(options.signal, timeout);
  try {
    let url = parseAddress(address);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const answer = await get(url, { ...options, signal });
      if (!(answer instanceof URL)) return answer;
      url = answer;
    }
  } catch (error) {
    if (error instanceof FetchRefused) throw error;
    throw new FetchRefused('the address could not be read', { cause: error });
  }
  throw new FetchRefused('the address leads from one to the next');
}

function parseAddress(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url?.protocol !== 'https:') throw new FetchRefused('the address is not https');
  if (url.username !== '' || url.password !== '') throw new FetchRefused('the address has a password');
  if (url.port !== '') throw new FetchRefused('the address has a port of its own');
  return url;
}

/** The answer, or where it leads. */
async function get(url: URL, options: PublicFetch & { signal: AbortSignal }): Promise<Fetched | URL> {
  const { limit, signal, accept } = options;
  const target = await targetOf(url, options);
  const headers = { accept, 'accept-encoding': 'identity', host: url.host, 'user-agent': 'Parley' };
  const ask = target.protocol === 'http:' ? requestPlain : request;
  const { promise, resolve, reject } = Promise.withResolvers<Fetched | URL>();
  const sent = ask({ ...target, path: `${url.pathname}${url.search}`, headers, agent: false, signal });
  sent.once('error', reject);
  sent.once('response', (response) => {
    const { statusCode = 0, headers: said } = response;
    const read = async (): Promise<Fetched | URL> => {
      if (REDIRECTS.has(statusCode)) return parseAddress(said.location ?? '', url);
      if (statusCode !== 200) throw new FetchRefused(`the address answers ${statusCode}`);
      if ((said['content-encoding'] ?? 'identity') !== 'identity')
        throw new FetchRefused('the answer is compressed');
      if (Number(said['content-length'] ?? 0) > limit) throw new FetchTooLarge('the answer is too large');
      const pieces: Buffer[] = [];
      let length = 0;
      await pipeline(response, async (source: AsyncIterable<Buffer>) => {
        for await (const piece of source) {
          length += piece.length;
          if (length > limit) throw new FetchTooLarge('the answer is too large');
          pieces.push(piece);
        }
      });
      return { bytes: Buffer.concat(pieces), type: said['content-type'] ?? '' };
    };
    read()
      .then(resolve, reject)
      .finally(() => sent.destroy());
  });
  sent.end();
  return promise;
}

/** Where to connect to: addresses looked at once, so that a name cannot mean another one a moment later; the first that is reached. */
async function targetOf(
  url: URL,
  { testHosts, resolve, signal }: PublicFetch & { signal: AbortSignal },
): Promise<RequestOptions> {
  const test = Object.hasOwn(testHosts, url.hostname) ? testHosts[url.hostname] : undefined;
  if (test !== undefined) {
    const { hostname, port } = new URL(`http://${test}`);
    return { protocol: 'http:', host: hostname, port };
  }
  const addresses = await beforeAbort(signal, resolvePublic(url.hostname, resolve));
  if (!addresses?.length) throw new FetchRefused('the address is not one of the public Internet');
  const lookup: LookupFunction = (_name, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { protocol: 'https:', host, port: 443, lookup };
}

/** What `work` comes to, unless the signal is faster: its reason then. */
function beforeAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort));
}
