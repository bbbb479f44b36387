import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as every authenticator app knows it. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 };
const PERIOD_MS = 30_000;

/** A new secret of 160 bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/**
 * What an authenticator app reads from a QR code (Key Uri Format); `label` is whose account it is. Without what every app takes
 * for granted, so that the code is easy to scan.
 */
export function totpUrl(secret: string, issuer: string, label: string): string {
  const name = encodeURIComponent(issuer);
  return `otpauth://totp/${name}:${encodeURIComponent(label)}?secret=${secret}&issuer=${name}`;
}

/** Which 30 seconds since 1970 a code is of: now, or 30 seconds before or after for clocks that are off. Null: of none of them. */
export function totpCounterOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const distance = TOTP.validate({
    ...FORM,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp,
    window: 1,
  });
  return distance === null ? null : Math.floor(timestamp / PERIOD_MS) + distance;
}
