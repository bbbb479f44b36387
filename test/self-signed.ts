import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const ECDSA_WITH_SHA256 = oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02);
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const SUBJECT_ALT_NAME = oid(0x55, 0x1d, 0x11);

/** One DER element (X.690): tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

function oid(...bytes: number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function time(year: number): Buffer {
  return der(0x17, Buffer.from(`${year % 100}0101000000Z`));
}

function tbsCertificate(publicKey: KeyObject): Buffer {
  // A trusted certificate is found by its name: two of one name hide each other.
  const text = der(0x0c, Buffer.from(`parley test ${randomUUID()}`));
  const name = der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, text)));
  const year = new Date().getUTCFullYear();
  const address = der(SEQUENCE, der(0x87, Buffer.from([127, 0, 0, 1])));
  const extension = der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, address));
  return der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    der(SEQUENCE, ECDSA_WITH_SHA256),
    name,
    der(SEQUENCE, time(year), time(year + 2)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension)),
  );
}

/** A key and a self-signed certificate for 127.0.0.1, both as PEM. */
export function createSelfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tbs = tbsCertificate(publicKey);
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', tbs, privateKey)]);
  const certificate = der(SEQUENCE, tbs, der(SEQUENCE, ECDSA_WITH_SHA256), der(0x03, signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
