import sharp from 'sharp';
import { clearMetadata } from './clear-metadata.ts';
import { decodeHeic } from './decode-heic.ts';
import { FileFault, type Found, type ReadingLimits } from './reading-rules.ts';
import { sendProgress } from './send-result.ts';

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
