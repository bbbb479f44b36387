import { createRequire } from 'node:module';
import sharp, { type Metadata } from 'sharp';
import { exifOfHeif } from './clear-heif.ts';
import { addExif, clearMetadata } from './clear-metadata.ts';
import { FileFault, type Found, type ReadingLimits } from './reading-rules.ts';
import { recogniseType } from './recognise-type.ts';
import { sendProgress } from './send-result.ts';

/** What is used of libheif's interface (https://github.com/strukturag/libheif, libheif/api): addresses in its memory are numbers. */
interface Libheif {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _heif_context_alloc(): number;
  _heif_context_read_from_memory_without_copy(
    error: number,
    context: number,
    bytes: number,
    length: number,
    options: 0,
  ): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_get_image_tiling(error: number, handle: number, isUpright: 1, tiling: number): void;
  _heif_image_handle_decode_image_tile(
    ...of: [
      error: number,
      handle: number,
      image: number,
      space: 1,
      chroma: 10,
      options: 0,
      x: number,
      y: number,
    ]
  ): void;
  _heif_decode_image(
    ...of: [error: number, handle: number, image: number, space: 1, chroma: 10, options: 0]
  ): void;
  _heif_image_get_width(image: number, channel: 10): number;
  _heif_image_get_height(image: number, channel: 10): number;
  _heif_image_get_plane_readonly(image: number, channel: 10, stride: number): number;
  _heif_image_release(image: number): void;
}

/** RGB, upright. */
interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

/** `heif_colorspace_RGB`, and `heif_chroma_interleaved_RGB`, which is the number of its one channel too. */
const [RGB, INTERLEAVED] = [1, 10] as const;
/** A HEIC of more pixels is stored with half its sides: no model reads more, and its JPEG would be five times as large. */
const HALVED_BEYOND = 25_000_000;
/** What a decoder may keep of a GIF, a WebP or an interlaced PNG, in bytes: its process then takes 150 MB more than that of a text. */
const MAX_CANVAS = 90_000_000;
/** Chunks of WebP that are decoded as a whole: without loss, and the frames of an animation. */
const WHOLE_WEBP = ['VP8L', 'ANMF'];
/** The longer side, in pixels. */
const THUMBNAIL = 480;
const JPEG_QUALITY = 92;
/** What a converted picture has at most, in pixels along the longer side: more than any model looks at. */
const CONVERTED_SIDE = 2_048;
const CONVERTED_QUALITY = 90;
/** The picture of a user, in pixels along each side. */
const SQUARE = 256;
const SQUARE_QUALITY = 85;

// Only what is recognised by its first bytes reaches sharp; the other loaders of libvips are off besides.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});
sharp.concurrency(1);
sharp.cache(false);

/**
 * A picture: its size, a thumbnail, and itself without metadata, or with all of it where it `keepsPlace`. HEIC becomes JPEG, because
 * browsers and most models cannot show it. Of an animation the first frame is looked at. Throws `file_unreadable`, and `file_too_complex`
 * for too many pixels.
 */
export async function readPicture(
  type: string,
  bytes: Buffer,
  { limits, keepsPlace }: { limits: ReadingLimits; keepsPlace: boolean },
): Promise<Found> {
  if (type === 'image/heic') {
    const jpeg = await toJpeg(bytes, limits);
    sendProgress();
    const found = await readPicture('image/jpeg', jpeg, { limits, keepsPlace: false });
    return { ...found, content: keepsPlace ? withExifOf(bytes, jpeg) : jpeg };
  }
  const open = () => sharp(bytes, { limitInputPixels: limits.pixels, failOn: 'truncated', autoOrient: true });
  try {
    const metadata = await open().metadata();
    requireSmallCanvas(type, bytes, metadata);
    const { autoOrient, orientation = 1 } = metadata;
    const thumbnail = await open()
      .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
      .webp()
      .toBuffer();
    const content = keepsPlace ? undefined : (clearMetadata(type, bytes, orientation) ?? undefined);
    return { type, text: '', width: autoOrient.width, height: autoOrient.height, thumbnail, content };
  } catch (fault) {
    throw pictureFault(fault);
  }
}

/**
 * A picture that some model cannot be given as it is, as a JPEG, or as a PNG where parts of it are transparent; of an animation the
 * first frame. Throws as `readPicture`.
 */
export async function convertPicture(bytes: Buffer, limits: ReadingLimits): Promise<Found> {
  try {
    const picture = sharp(bytes, { limitInputPixels: limits.pixels, pages: 1 });
    const metadata = await picture.metadata();
    requireSmallCanvas(recogniseType(bytes), bytes, metadata);
    const fitted = picture
      .autoOrient()
      .resize(CONVERTED_SIDE, CONVERTED_SIDE, { fit: 'inside', withoutEnlargement: true });
    return metadata.hasAlpha
      ? { type: 'image/png', text: '', content: await fitted.png().toBuffer() }
      : {
          type: 'image/jpeg',
          text: '',
          content: await fitted.jpeg({ quality: CONVERTED_QUALITY }).toBuffer(),
        };
  } catch (fault) {
    throw pictureFault(fault);
  }
}

/** A square WebP of a picture: upright, the middle of it, the first frame. Throws as `readPicture`. */
export async function squarePicture(bytes: Buffer, limits: ReadingLimits): Promise<Found> {
  try {
    const picture = sharp(bytes, { limitInputPixels: limits.pixels, failOn: 'error', pages: 1 });
    const square = picture.autoOrient().resize(SQUARE, SQUARE, { fit: 'cover' });
    const content = await square.webp({ quality: SQUARE_QUALITY }).toBuffer();
    return { type: 'image/webp', text: '', content };
  } catch (fault) {
    throw pictureFault(fault);
  }
}

function toJpeg(bytes: Buffer, limits: ReadingLimits): Promise<Buffer> {
  const { data, width, height } = decodeHeic(bytes, limits.pixels);
  sendProgress();
  const picture = sharp(data, { raw: { width, height, channels: 3 } });
  if (width * height > HALVED_BEYOND) picture.resize(Math.round(width / 2), Math.round(height / 2));
  return picture.jpeg({ quality: JPEG_QUALITY }).toBuffer();
}

/** The JPEG that a HEIC became, with what that says of place, time and camera. */
function withExifOf(heic: Buffer, jpeg: Buffer): Buffer {
  try {
    const exif = exifOfHeif(heic);
    return exif ? addExif(jpeg, exif) : jpeg;
  } catch (fault) {
    throw pictureFault(fault);
  }
}

/** Throws `file_too_complex` for a picture of which a decoder would keep more than `MAX_CANVAS` at once, however small it is to become. */
function requireSmallCanvas(type: string, bytes: Buffer, metadata: Metadata): void {
  const { width, height } = metadata;
  if (width * height * canvasDepth(type, bytes, metadata) > MAX_CANVAS)
    throw new FileFault('file_too_complex', 'too many pixels for its format');
}

/** Bytes of a pixel in what a decoder keeps at once; 0 of a picture that is decoded line by line, or shrunk meanwhile. */
function canvasDepth(type: string, bytes: Buffer, { isProgressive, channels, depth }: Metadata): number {
  if (type === 'image/gif') return 4;
  if (type === 'image/webp') return WHOLE_WEBP.some((chunk) => bytes.includes(chunk, 12, 'latin1')) ? 4 : 0;
  if (type === 'image/png' && isProgressive) return channels * (depth === 'ushort' ? 2 : 1);
  return 0;
}

function pictureFault(fault: unknown): FileFault {
  if (fault instanceof FileFault) return fault;
  const message = fault instanceof Error ? fault.message : String(fault);
  const code = /pixel limit|too large|too big/i.test(message) ? 'file_too_complex' : 'file_unreadable';
  return new FileFault(code, message, { cause: fault });
}

/** The main picture of a HEIC file. Throws `file_unreadable`, or `file_too_complex` beyond `limit` pixels. */
function decodeHeic(bytes: Buffer, limit: number): Pixels {
  // Loaded for HEIC alone: it is 1.4 MB of WebAssembly. It comes without types.
  const lib = createRequire(import.meta.url)('libheif-js/wasm-bundle') as Libheif;
  try {
    const heif = openHeif(lib, bytes);
    const { width, height, columns, rows } = heif;
    if (width * height > limit) throw new FileFault('file_too_complex', 'too many pixels');
    const pixels = { data: Buffer.alloc(width * height * 3), width, height };
    // Where tiles of a mirrored or cropped picture stand is not said clearly enough.
    if (columns * rows === 1 || isMirroredOrCropped(bytes)) {
      copyPixels(lib, pixels, { image: heif.decode(), left: 0, top: 0 });
      return pixels;
    }
    for (let y = 0; y < rows; y += 1)
      for (let x = 0; x < columns; x += 1) {
        const [left, top] = [x * heif.tileWidth - heif.hiddenLeft, y * heif.tileHeight - heif.hiddenTop];
        copyPixels(lib, pixels, { image: heif.decodeTile(x, y), left, top });
        sendProgress();
      }
    return pixels;
  } catch (fault) {
    if (fault instanceof FileFault) throw fault;
    throw new FileFault('file_unreadable', String(fault), { cause: fault });
  }
}

/** Reads what a HEIF is made of. Tiles are decoded one by one: a picture of 48 million pixels as a whole takes 500 MB more. */
function openHeif(lib: Libheif, bytes: Buffer) {
  const file = lib._malloc(bytes.length);
  lib.HEAPU8.set(bytes, file);
  const [error, out, tiling] = [lib._malloc(12), lib._malloc(4), lib._malloc(80)];
  const read = (address: number) => new DataView(lib.HEAPU8.buffer).getUint32(address, true);
  const found = () => {
    if (read(error) !== 0) throw new FileFault('file_unreadable', `HEIF: ${read(error)}.${read(error + 4)}`);
    return read(out);
  };
  const context = lib._heif_context_alloc();
  lib._heif_context_read_from_memory_without_copy(error, context, file, bytes.length, 0);
  found();
  lib._heif_context_get_primary_image_handle(error, context, out);
  const handle = found();
  lib._heif_image_handle_get_image_tiling(error, handle, 1, tiling);
  found();
  const columns = read(tiling + 4);
  const rows = read(tiling + 8);
  const tileWidth = read(tiling + 12);
  const tileHeight = read(tiling + 16);
  const top = read(tiling + 28);
  const left = read(tiling + 32);
  return {
    width: lib._heif_image_handle_get_width(handle),
    height: lib._heif_image_handle_get_height(handle),
    columns,
    rows,
    tileWidth,
    tileHeight,
    // libheif says how much is seen of tiles that begin outside of a turned picture.
    hiddenLeft: left && tileWidth - left,
    hiddenTop: top && tileHeight - top,
    decode: () => {
      lib._heif_decode_image(error, handle, out, RGB, INTERLEAVED, 0);
      return found();
    },
    decodeTile: (x: number, y: number) => {
      lib._heif_image_handle_decode_image_tile(error, handle, out, RGB, INTERLEAVED, 0, x, y);
      return found();
    },
  };
}

/** Copies the content of the picture, and frees the memory of `image`. */
function copyPixels(
  lib: Libheif,
  { data, width, height }: Pixels,
  { image, left, top }: { image: number; left: number; top: number },
): void {
  const out = lib._malloc(4);
  const from = Math.max(0, -left);
  const to = Math.min(lib._heif_image_get_width(image, INTERLEAVED), width - left);
  const plane = lib._heif_image_get_plane_readonly(image, INTERLEAVED, out);
  const stride = new DataView(lib.HEAPU8.buffer).getUint32(out, true);
  const rows = Math.min(lib._heif_image_get_height(image, INTERLEAVED), height - top);
  for (let row = Math.max(0, -top); row < rows && from < to; row += 1) {
    const start = plane + row * stride;
    data.set(lib.HEAPU8.subarray(start + from * 3, start + to * 3), ((top + row) * width + left + from) * 3);
  }
  lib._heif_image_release(image);
}

/** Whether a property of ISO/IEC 23008-12 says so: `imir`, `clap`. */
function isMirroredOrCropped(bytes: Buffer): boolean {
  return bytes.includes('imir', 0, 'latin1') || bytes.includes('clap', 0, 'latin1');
}
