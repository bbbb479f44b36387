/** What the first bytes of a file say; `zip` and `ole` are distinguished further by what is in them. */
export type RecognisedType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/gif'
  | 'image/webp'
  | 'image/avif'
  | 'image/heic'
  | 'application/pdf'
  | 'zip'
  | 'ole'
  | 'unsupported'
  | 'text';

const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);
const AVIF_BRANDS = new Set(['avif', 'avis']);
/** What could be taken for text, and says nothing as such. */
const UNSUPPORTED = ['{\\rtf', '%!PS-Adobe'];

/**
 * Tells a file by its first bytes alone: what is both (a polyglot) is what it begins as, and its name says nothing.
 * What has no known beginning is text until `readText` has looked at it.
 */
export function recogniseType(bytes: Buffer): RecognisedType {
  const starts = (text: string, at = 0) =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  if (starts('ftyp', 4)) return recogniseBrand(bytes);
  if (starts('PK\x03\x04') || starts('PK\x05\x06')) return 'zip';
  if (starts('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'ole';
  if (UNSUPPORTED.some((text) => starts(text))) return 'unsupported';
  // Producers write a byte order mark or an empty line before it; what else may stand there is a polyglot's.
  const head = bytes.subarray(0, 64).toString('latin1');
  return /^(\xef\xbb\xbf)?[\s\0]*%PDF-/.test(head) ? 'application/pdf' : 'text';
}

/** ISO/IEC 14496-12, 4.3: the major brand, then a version, then brands that it is compatible with. */
function recogniseBrand(bytes: Buffer): RecognisedType {
  const size = Math.min(bytes.readUInt32BE(0), 256, bytes.length);
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= size; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  if (brands.some((brand) => AVIF_BRANDS.has(brand))) return 'image/avif';
  if (brands.some((brand) => HEIC_BRANDS.has(brand))) return 'image/heic';
  return 'unsupported';
}

/** Whether an OLE file (old Office) is an encrypted new one: it then has a stream of this name ([MS-OFFCRYPTO] 2.3.4.4). */
export function isEncryptedOffice(bytes: Buffer): boolean {
  return bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}
