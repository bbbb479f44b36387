import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Flags {
  /** Whoever holds it has shown so to it, by a finger or a PIN. */
  verified?: boolean;
  /** What it says of how often it was used; by default one more than before. */
  counter?: number;
}

interface Place {
  /** The page that asks, as the browser reports it. */
  origin: string;
  rpId?: string;
}

/** A passkey in software, ES256 without attestation: answers as a browser and its authenticator would (WebAuthn 3, 6 and 7). */
export class VirtualAuthenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #place: Required<Place>;
  #counter = 0;

  constructor({ origin, rpId = 'localhost' }: Place) {
    this.#place = { origin, rpId };
  }

  /** What `navigator.credentials.create` gives for a challenge. */
  register(challenge: string, flags: Flags & { format?: Buffer } = {}) {
    const authData = this.#authenticatorData(0x40, flags, this.#attested());
    const statement =
      flags.format ??
      Buffer.concat([cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      statement,
      cborText('authData'),
      cborBytes(authData),
    ]).toString('base64url');
    const response = {
      clientDataJSON: this.#clientData('webauthn.create', challenge),
      attestationObject,
      transports: ['internal'],
    };
    return { id: this.id, rawId: this.id, type: 'public-key', response };
  }

  /** What `navigator.credentials.get` gives for a challenge. */
  answer(challenge: string, flags: Flags = {}) {
    const authData = this.#authenticatorData(0, flags, Buffer.alloc(0));
    const clientDataJSON = this.#clientData('webauthn.get', challenge);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([authData, hash]), this.#keys.privateKey);
    const response = {
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    };
    return { id: this.id, rawId: this.id, type: 'public-key', response };
  }

  #authenticatorData(flag: number, { verified = true, counter }: Flags, attested: Buffer): Buffer {
    this.#counter = counter ?? this.#counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#counter);
    const flags = Buffer.from([flag | 0x01 | (verified ? 0x04 : 0)]);
    return Buffer.concat([createHash('sha256').update(this.#place.rpId).digest(), flags, count, attested]);
  }

  /** AAGUID, id and public key in COSE form. */
  #attested(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const id = Buffer.from(this.id, 'base64url');
    const key = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      cborBytes(Buffer.from(y, 'base64url')),
    ]);
    return Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
  }

  #clientData(type: string, challenge: string): string {
    const { origin } = this.#place;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
  }
}

/** CBOR (RFC 8949) of a short text. */
export function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

/** CBOR of fewer than 256 bytes. */
function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}
