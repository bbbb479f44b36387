import { createHmac, hkdfSync } from 'node:crypto';

const GOOGLE = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox behind an address, whatever it is written like: lower case, without a `+tag`; at Gmail without dots and under one
 * domain (https://support.google.com/mail/answer/7436150). For comparing only, never for sending to.
 */
export function normaliseAddress(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  if (at < 1) return address;
  const domain = address.slice(at + 1);
  const name = address.slice(0, at);
  const plain = name.split('+')[0] || name;
  return GOOGLE.has(domain) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`;
}

/** What is kept of an address to know it again: 32 bytes, keyed by the server's secret, so that no list of addresses tells whose. */
export function hashAddress(secret: string, email: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parley address grants', 32));
  return createHmac('sha256', key).update(normaliseAddress(email)).digest();
}
