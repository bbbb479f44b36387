import { createRequire } from 'node:module';
import sharp from 'sharp';
import { clearMetadata } from './clear-metadata.ts';
import { FileFault, type Found, type ReadingLimits } from './reading-rules.ts';
import { sendProgress } from './send-result.ts';

interface HeifImage {
  is_primary(): boolean;
  get_width(): number;
  get_height(): number;
  display(into: Pixels, done: (pixels: Pixels | null) => void): void;
}

interface Libheif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** The longer side, in pixels. */
const THUMBNAIL = 480;
const JPEG_QUALITY = 92;

// Only what is told by its first bytes reaches sharp; the other loaders of libvips are off besides.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
});
sharp.concurrency(1);
sharp.cache(false);

/**
 * A picture: its size, a thumbnail, and itself without metadata. HEIC becomes JPEG, because browsers and most models cannot show it.
 * Of an animation the first frame is looked at. Throws `file_unreadable`, and `file_too_complex` for too many pixels.
 */
export async function readPicture(type: string, bytes: Buffer, limits: ReadingLimits): Promise<Found> {
  if (type === 'image/heic') {
    const content = await toJpeg(bytes, limits);
    sendProgress();
    return { ...(await readPicture('image/jpeg', content, limits)), content };
  }
  const open = () => sharp(bytes, { limitInputPixels: limits.pixels, failOn: 'truncated', autoOrient: true });
  try {
    const { autoOrient, orientation = 1 } = await open().metadata();
    const thumbnail = await open()
      .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
      .webp()
      .toBuffer();
    const content = clearMetadata(type, bytes, orientation) ?? undefined;
    return { type, text: '', width: autoOrient.width, height: autoOrient.height, thumbnail, content };
  } catch (fault) {
    throw pictureFault(fault);
  }
}

async function toJpeg(bytes: Buffer, limits: ReadingLimits): Promise<Buffer> {
  const { data, width, height } = await decodeHeic(bytes, limits.pixels);
  sendProgress();
  return sharp(data, { raw: { width, height, channels: 4 } })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

function pictureFault(fault: unknown): FileFault {
  const message = fault instanceof Error ? fault.message : String(fault);
  const code = /pixel limit|too large|too big/i.test(message) ? 'file_too_complex' : 'file_unreadable';
  return new FileFault(code, message, { cause: fault });
}

/** The main picture of a HEIC file as RGBA, upright. Throws `file_unreadable`, or `file_too_complex` beyond `limit` pixels. */
async function decodeHeic(bytes: Buffer, limit: number): Promise<Pixels> {
  // Loaded for HEIC alone: it is 1.4 MB of WebAssembly. It comes without types.
  const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle') as Libheif;
  try {
    const images = new libheif.HeifDecoder().decode(bytes);
    const image = images.find((one) => one.is_primary()) ?? images[0];
    if (!image) throw new FileFault('file_unreadable', 'no picture in HEIF');
    const [width, height] = [image.get_width(), image.get_height()];
    if (width * height > limit) throw new FileFault('file_too_complex', 'too many pixels');
    const into = { data: new Uint8ClampedArray(width * height * 4), width, height };
    return await new Promise((resolve, reject) => {
      image.display(into, (pixels) =>
        pixels ? resolve(pixels) : reject(new FileFault('file_unreadable', 'HEIF was not decoded')),
      );
    });
  } catch (fault) {
    if (fault instanceof FileFault) throw fault;
    throw new FileFault('file_unreadable', String(fault), { cause: fault });
  }
}
