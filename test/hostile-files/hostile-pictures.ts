import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { type HostileFile, hostile } from './hostile-file.ts';

const SIDE = 16_000;
/** GPS of a photograph: what tests look for is the text of its reference. */
const PLACE = { IFD0: { Make: 'SecretCam' }, IFD3: { GPSMapDatum: 'SECRETPLACE' } };

type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif';
const FORMATS: Format[] = ['png', 'jpeg', 'webp', 'gif', 'avif'];

/** A picture of 60 by 40 pixels, taken with the camera turned, at a secret place. */
export function makePicture(format: Format, orientation = 6): Promise<Buffer> {
  const drawn = sharp({ create: { width: 60, height: 40, channels: 3, background: '#b93a28' } });
  return drawn.withExif(PLACE).withMetadata({ orientation }).toFormat(format).toBuffer();
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG, its image data packed: `idat` in place of what it should be; `format`: depth, colours, packing, filter, interlacing. */
function makePng(
  width: number,
  height: number,
  idat: Buffer,
  more: Buffer[] = [],
  format = [8, 0, 0, 0, 0],
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(format, 8);
  const end = [chunk('IDAT', idat), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), ...more, ...end]);
}

/** A PNG of 16,000 by 16,000 pixels in some hundred bytes. */
export const hugePng = (): Buffer => makePng(SIDE, SIDE, deflateSync(Buffer.alloc(100)));

/** The same picture that says it has 16,000 by 16,000 pixels. */
function enlarge(format: Format, bytes: Buffer): Buffer {
  const big = Buffer.from(bytes);
  if (format === 'png') return hugePng();
  if (format === 'gif') {
    const image = big.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
    for (const at of [6, 8, image + 5, image + 7]) big.writeUInt16LE(SIDE, at);
  } else if (format === 'jpeg') {
    const frame = big.indexOf(Buffer.from([0xff, 0xc0]));
    big.writeUInt16BE(SIDE, frame + 5);
    big.writeUInt16BE(SIDE, frame + 7);
  } else if (format === 'webp') {
    const size = big.indexOf('VP8X') + 12;
    big.writeUIntLE(SIDE - 1, size, 3);
    big.writeUIntLE(SIDE - 1, size + 3, 3);
    const frame = big.indexOf(Buffer.from([0x9d, 0x01, 0x2a])) + 3;
    big.writeUInt16LE(SIDE, frame);
    big.writeUInt16LE(SIDE, frame + 2);
  } else {
    const size = big.indexOf('ispe') + 8;
    big.writeUInt32BE(SIDE, size);
    big.writeUInt32BE(SIDE, size + 4);
  }
  return big;
}

function makeAnimation(frames: number): Buffer {
  const head = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const frame = Buffer.from('!\xf9\x04\0\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1');
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

/** A GIF of `side` by `side` pixels of one colour: 49 million are 35 kB. */
export function flatGif(side: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\xb9\x3a\x28\xff\xff\xff', 'latin1');
  const image = Buffer.from(',\0\0\0\0\0\0\0\0\0\x02', 'latin1');
  for (const [bytes, at] of [
    [head, 6],
    [head, 8],
    [image, 5],
    [image, 7],
  ] as const)
    bytes.writeUInt16LE(side, at);
  const packed = packFlat(side * side);
  const blocks: Buffer[] = [];
  for (let at = 0; at < packed.length; at += 255) {
    const block = packed.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([head, image, ...blocks, Buffer.from('\0;', 'latin1')]);
}

/** LZW of so many zeros (GIF89a, appendix F): each code is the one that it defines, which is one zero longer than the last. */
function packFlat(pixels: number): Buffer {
  const [clear, end, first] = [4, 5, 6];
  const bytes: number[] = [];
  let [held, count] = [0, 0];
  let [next, size] = [first, 3];
  const write = (code: number) => {
    held |= code << count;
    for (count += size; count >= 8; count -= 8) {
      bytes.push(held & 0xff);
      held >>>= 8;
    }
  };
  for (let left = pixels; left > 0; ) {
    write(clear);
    [next, size] = [first, 3];
    write(0);
    left -= 1;
    while (left > 0 && next < 4_096) {
      const run = Math.min(left, next - first + 2);
      write(run === 1 ? 0 : first + run - 2);
      left -= run;
      next += 1;
      if (next === 1 << size && size < 12) size += 1;
    }
  }
  write(end);
  return Buffer.from([...bytes, held & 0xff, 0]);
}

function heif(...brands: string[]): Buffer {
  const bytes = Buffer.from(`\0\0\0\0ftyp${brands[0]}\0\0\0\0${brands.join('')}`, 'latin1');
  bytes.writeUInt32BE(bytes.length);
  return bytes;
}

async function ofEach(format: Format): Promise<HostileFile[]> {
  const bytes = await makePicture(format);
  const page = '<script>alert(1)</script>';
  const isBoxed = format === 'avif';
  return [
    hostile(`${format}: 16,000 by 16,000`, () => enlarge(format, bytes), 'file_too_complex'),
    hostile(`${format}: its head alone`, () => bytes.subarray(0, 40), 'file_unreadable'),
    hostile(
      `${format}: cut`,
      () => bytes.subarray(0, bytes.length - 30),
      'file_unreadable',
      ...(isBoxed ? [] : ['read' as const]),
    ),
    hostile(`${format}: a page behind it`, () => Buffer.concat([bytes, Buffer.from(page)]), 'read'),
    hostile(
      `${format}: a ZIP behind it`,
      () => Buffer.concat([bytes, Buffer.from('PK\x03\x04', 'latin1')]),
      'read',
    ),
    hostile(
      `${format}: noise`,
      () => Buffer.concat([bytes.subarray(0, 30), Buffer.alloc(9_000, 'noise')]),
      'file_unreadable',
    ),
  ];
}

/** An interlaced PNG of black, by the passes of Adam7: three bytes a pixel, and one before each line. */
function interlacedPng(side: number): Buffer {
  const passes = [
    ...[
      [0, 0, 8, 8],
      [4, 0, 8, 8],
      [0, 4, 4, 8],
      [2, 0, 4, 4],
    ],
    ...[
      [0, 2, 2, 4],
      [1, 0, 2, 2],
      [0, 1, 1, 2],
    ],
  ] as [number, number, number, number][];
  const lengths = passes.map(
    ([x, y, right, down]) => Math.ceil((side - y) / down) * (1 + 3 * Math.ceil((side - x) / right)),
  );
  const length = lengths.reduce((sum, each) => sum + each, 0);
  return makePng(side, side, deflateSync(Buffer.alloc(length), { level: 1 }), [], [8, 2, 0, 0, 1]);
}

/** A WebP without loss of more colours than a palette has, 4,740 pixels wide and high, or as it says itself. */
function losslessWebp(side = 4_740): Buffer {
  const bytes = readFileSync('server/files/reading/fixtures/sharp-lossless.webp');
  const flags = bytes.readUInt32LE(21) >>> 28;
  bytes.writeUInt32LE(side - 1 + (side - 1) * 2 ** 14 + flags * 2 ** 28, 21);
  return bytes;
}

/** Pictures that are decoded as a whole: the largest that are, and larger ones, which are refused by their heads. */
function largeCanvases(): HostileFile[] {
  return [
    hostile('gif: 22 million pixels', () => flatGif(4_740), 'read'),
    hostile('gif: 49 million pixels in 35 kB', () => flatGif(7_000), 'file_too_complex'),
    hostile('webp: 22 million pixels without loss', () => losslessWebp(), 'read'),
    hostile('webp: 23 million pixels without loss', () => losslessWebp(4_800), 'file_too_complex'),
    hostile('png: 29 million pixels, interlaced', () => interlacedPng(5_470), 'read'),
    hostile('png: 30 million pixels, interlaced', () => interlacedPng(5_480), 'file_too_complex'),
  ];
}

export async function hostilePictures(): Promise<HostileFile[]> {
  const bomb = (type: 'zTXt' | 'iCCP') =>
    chunk(type, Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(64 * 1_048_576))]));
  const small = deflateSync(Buffer.alloc(2));
  return [
    ...(await Promise.all(FORMATS.map(ofEach))).flat(),
    ...largeCanvases(),
    hostile(
      'png: 49 million pixels in 48 kB',
      () => makePng(7_000, 7_000, deflateSync(Buffer.alloc(7_001 * 7_000))),
      'read',
    ),
    hostile(
      'png: a bomb in a comment',
      () => makePng(1, 1, small, [bomb('zTXt')]),
      'read',
      'file_unreadable',
    ),
    hostile(
      'png: a bomb in its profile',
      () => makePng(1, 1, small, [bomb('iCCP')]),
      'read',
      'file_unreadable',
    ),
    hostile('png: a chunk of 2 GB', () => makePng(1, 1, small).fill(0x7f, 33, 37), 'file_unreadable', 'read'),
    hostile('png: no pixels', () => makePng(0, 0, small), 'file_unreadable'),
    hostile(
      'png: 50,000 comments',
      () =>
        makePng(
          1,
          1,
          small,
          Array.from({ length: 50_000 }, () => chunk('tEXt', Buffer.from('a\0b'))),
        ),
      'read',
      'file_unreadable',
    ),
    hostile('gif: 20,000 frames', () => makeAnimation(20_000), 'read', 'file_too_complex'),
    hostile('gif: no frames', () => makeAnimation(0), 'file_unreadable'),
    hostile('heic: brands alone', () => heif('heic', 'mif1'), 'file_unreadable'),
    hostile(
      'heic: noise',
      () => Buffer.concat([heif('heic', 'mif1'), Buffer.alloc(50_000, 'noise')]),
      'file_unreadable',
    ),
    hostile(
      'avif: noise',
      () => Buffer.concat([heif('avif', 'mif1'), Buffer.alloc(50_000, 'noise')]),
      'file_unreadable',
    ),
    hostile('a film', () => heif('isom', 'mp42'), 'file_type_unsupported'),
  ];
}
