import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts what the server must read again but no copy of the database may reveal; only for this `owner`. */
export function sealSecret(authSecret: string, owner: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(authSecret), nonce).setAAD(Buffer.from(owner));
  const sealed = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** What `sealSecret` was given; null when the server's secret is another one now, or it belongs to another owner. */
export function openSecret(authSecret: string, owner: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const end = bytes.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv(ALGORITHM, keyOf(authSecret), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(end));
    return decipher.update(bytes.subarray(NONCE_BYTES, end), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

function keyOf(authSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', authSecret, '', 'parley secrets of second factors', 32));
}
