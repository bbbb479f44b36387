import { crc32 } from 'node:zlib';
import { clearHeif } from './clear-heif.ts';

/** Chunks that a PNG is drawn with (PNG 3rd edition, 11); others have texts, times and places. */
const PNG_KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
);
/** Chunks that a WebP is drawn with (WebP container specification); what else stands there, such as `C2PA`, tells of its origin. */
const WEBP_KEPT = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** What a segment of a JPEG has besides its length. */
const MAX_SEGMENT = 65_533;
/** The tag of EXIF for which way is up. */
const ORIENTATION = 0x112;
const GIF_KEPT = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);

/**
 * A picture without what tells where, when and by what it was taken (EXIF, XMP, IPTC, comments, further pictures behind it), its
 * image data and colour profile untouched. `orientation` (EXIF, 1 to 8) stays. Null where there was nothing to remove. The picture must
 * be one that was decoded; a RangeError says that its parts do not fit.
 */
export function clearMetadata(type: string, bytes: Buffer, orientation: number): Buffer | null {
  const clear = {
    'image/jpeg': clearJpeg,
    'image/png': clearPng,
    'image/webp': clearWebp,
    'image/gif': clearGif,
  }[type];
  if (!clear) return clearHeif(bytes);
  const cleared = Buffer.concat(clear(bytes, orientation));
  return cleared.equals(bytes) ? null : cleared;
}

/** EXIF with nothing but the orientation: a TIFF header and a directory of one entry. */
function orientationTag(orientation: number): Buffer {
  const tag = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tag.writeUInt16BE(orientation, 18);
  return tag;
}

/**
 * A JPEG that is upright with EXIF, given from its TIFF header on, of the picture that it was made of; without it where it is longer than
 * a segment. A RangeError says that its parts do not fit.
 */
export function addExif(jpeg: Buffer, exif: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), uprightExif(exif)]);
  if (content.length > MAX_SEGMENT) return jpeg;
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 4);
  return Buffer.concat([head, content, jpeg.subarray(2)]);
}

/** The same EXIF that says its picture is upright: entries of a directory have 12 bytes (TIFF 6.0). */
function uprightExif(exif: Buffer): Buffer {
  const upright = Buffer.from(exif);
  const isLittle = upright.toString('latin1', 0, 2) === 'II';
  const read = (at: number) => (isLittle ? upright.readUInt16LE(at) : upright.readUInt16BE(at));
  const directory = isLittle ? upright.readUInt32LE(4) : upright.readUInt32BE(4);
  for (let entry = 0; entry < read(directory); entry += 1) {
    const at = directory + 2 + 12 * entry;
    if (read(at) !== ORIENTATION) continue;
    if (isLittle) upright.writeUInt16LE(1, at + 8);
    else upright.writeUInt16BE(1, at + 8);
  }
  return upright;
}

/** Segments by ITU-T T.81, B.1; what stands behind the end (a motion picture, a polyglot) is cut off. */
function clearJpeg(bytes: Buffer, orientation: number): Buffer[] {
  const pieces = [bytes.subarray(0, 2)];
  if (orientation > 1) {
    const tag = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationTag(orientation)]);
    pieces.push(Buffer.from([0xff, 0xe1, 0, tag.length + 2]), tag);
  }
  let at = 2;
  while (at < bytes.length) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes[at] !== 0xff) throw new RangeError('no marker');
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) break;
    let end = at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xda) end = endOfScan(bytes, end);
    if (isKeptSegment(marker, bytes.subarray(at + 4, end))) pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return [...pieces, Buffer.from([0xff, 0xd9])];
}

function isKeptSegment(marker: number, content: Buffer): boolean {
  if (marker === 0xe2) return content.subarray(0, 12).equals(Buffer.from('ICC_PROFILE\0', 'latin1'));
  if (marker === 0xe0 || marker === 0xee) return true;
  return marker !== 0xfe && (marker < 0xe1 || marker > 0xef);
}

/** The next marker behind coded data: a byte 0xff there is followed by 0, or by the number of a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

function clearPng(bytes: Buffer, orientation: number): Buffer[] {
  const pieces = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (PNG_KEPT.has(type)) pieces.push(bytes.subarray(at, end));
    if (type === 'IHDR' && orientation > 1) pieces.push(pngChunk('eXIf', orientationTag(orientation)));
    if (type === 'IEND') break;
    at = end;
  }
  return pieces;
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(content.length);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** Chunks of RIFF; the flags of VP8X say which there are (WebP container specification). */
function clearWebp(bytes: Buffer, orientation: number): Buffer[] {
  const pieces: Buffer[] = [];
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  for (let at = 12; at + 8 <= end; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const chunk = Buffer.from(bytes.subarray(at, at + 8 + length + (length % 2)));
    if (type === 'VP8X') chunk.writeUInt8((chunk.readUInt8(8) & ~0x0c) | (orientation > 1 ? 0x08 : 0), 8);
    if (WEBP_KEPT.has(type)) pieces.push(chunk);
    at += 8 + length + (length % 2);
  }
  if (orientation > 1) {
    const tag = orientationTag(orientation);
    const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
    head.writeUInt32LE(tag.length, 4);
    pieces.push(head, tag);
  }
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(4 + pieces.reduce((sum, piece) => sum + piece.length, 0), 4);
  return [head, ...pieces];
}

/** Blocks of GIF89a: comments and foreign applications go, what repeats the animation stays. */
function clearGif(bytes: Buffer): Buffer[] {
  const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + colours(bytes.readUInt8(10));
  const pieces = [bytes.subarray(0, at)];
  while (at < bytes.length && bytes[at] !== 0x3b) {
    const isImage = bytes[at] === 0x2c;
    if (!isImage && bytes[at] !== 0x21) throw new RangeError('no block');
    let end = isImage ? at + 11 + colours(bytes.readUInt8(at + 9)) : at + 2;
    while (bytes.readUInt8(end) !== 0) end += bytes.readUInt8(end) + 1;
    end += 1;
    const label = bytes[at + 1];
    const isForeign = label === 0xff && !GIF_KEPT.has(bytes.toString('latin1', at + 3, at + 14));
    if (isImage || (label !== 0xfe && !isForeign)) pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return [...pieces, Buffer.from([0x3b])];
}
