import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Deps } from '#server/deps.ts';
import { certificateAlert, type FoundAlert } from './alert-rules.ts';

const TIMEOUT_MS = 10_000;
const HTTPS_PORT = 443;

/** Alerts of certificates that end soon: of our public address, where users and payment webhooks come, and of the operator's webhook. */
export async function verifyCertificates({
  config,
  clock,
}: Pick<Deps, 'config' | 'clock'>): Promise<FoundAlert[]> {
  const urls = [config.publicUrl, config.operator.webhook].flatMap((url) =>
    url === null ? [] : [new URL(url)],
  );
  const hosts = new Set(urls.filter(({ protocol }) => protocol === 'https:').map(({ host }) => host));
  const found = await Promise.all(
    [...hosts].map(async (host) => {
      const endsAt = await readEnd(host);
      return endsAt === null ? [] : certificateAlert(host, endsAt, clock.now());
    }),
  );
  return found.flat();
}

/** When the certificate of a host (`name` or `name:port`) ends; null where it cannot be read from here. */
function readEnd(host: string): Promise<Date | null> {
  const { hostname, port } = new URL(`https://${host}`);
  const name = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host: name,
      port: Number(port || HTTPS_PORT),
      ...(isIP(name) ? {} : { servername: name }),
      // One that is not trusted has an end too. Nothing is sent over this connection.
      rejectUnauthorized: false,
      timeout: TIMEOUT_MS,
    });
    const end = (endsAt: Date | null) => {
      socket.destroy();
      resolve(endsAt);
    };
    socket.once('secureConnect', () => {
      const endsAt = new Date(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(endsAt.getTime()) ? null : endsAt);
    });
    socket.once('timeout', () => end(null));
    socket.once('error', () => end(null));
  });
}
