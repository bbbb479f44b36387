import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The first of `count` ports from `first` on that nothing listens on at `host`; 0 for `first` means any port.
 * A loopback host counts in both its spellings, because a browser may try either. Null when all are taken.
 */
export async function findFreePort(host: string, first: number, count = 1): Promise<number | null> {
  const hosts = ['127.0.0.1', 'localhost'].includes(host) ? ['127.0.0.1', '::1'] : [host];
  for (let port = first; port < first + count; port++) {
    const bound = await Promise.all(hosts.map((name) => tryPort(name, port)));
    if (bound.every((result) => result !== 'taken')) return port === 0 ? Number(bound[0]) : port;
  }
  return null;
}

/** Only "taken" counts: a host this machine lacks (no IPv6, say) is for the server itself to report. */
async function tryPort(host: string, port: number): Promise<number | 'taken' | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    const address = server.address();
    server.close();
    await once(server, 'close');
    return typeof address === 'object' ? (address?.port ?? null) : null;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' ? 'taken' : null;
  }
}
