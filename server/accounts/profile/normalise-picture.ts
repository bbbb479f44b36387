import { AppError } from '#server/errors.ts';

const SIDE = 256;
/** A picture of a camera has 50 million; what claims to have more is there to fill our memory. */
const MAX_PIXELS = 60_000_000;
const SECONDS = 15;
/** How many callers wait for their turn at most. */
const MAX_WAITING = 20;
/** By what a file is, not by what it is called: SVG runs scripts, the rest are readers we need not trust. */
const FORMATS = new Set(['png', 'jpeg', 'webp', 'gif']);

let turn: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * A square WebP of 256 pixels out of an uploaded picture: upright, the middle of it, the first frame, and nothing of what the file
 * told beside it (place, camera, comments). One at a time in a process. Throws `picture_unreadable`, `picture_too_large`,
 * `unavailable` when too many wait.
 */
export async function normalisePicture(bytes: Buffer): Promise<Buffer> {
  if (!isPicture(bytes)) throw new AppError('picture_unreadable');
  if (waiting >= MAX_WAITING) throw new AppError('unavailable');
  waiting += 1;
  const mine = turn.then(() => draw(bytes));
  turn = mine.catch(() => {});
  return mine.finally(() => {
    waiting -= 1;
  });
}

/** The first bytes of PNG, JPEG, GIF and WebP: https://mimesniff.spec.whatwg.org, 6.1. */
function isPicture(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 12).toString('latin1');
  const isWebp = head.startsWith('RIFF') && head.endsWith('WEBP');
  return (
    isWebp || ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'].some((sign) => head.startsWith(sign))
  );
}

async function draw(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
    const { format } = await image.metadata();
    if (!FORMATS.has(format)) throw new AppError('picture_unreadable');
    return await image
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 85 })
      .timeout({ seconds: SECONDS })
      .toBuffer();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isLarge = error instanceof Error && error.message.includes('pixel limit');
    throw new AppError(isLarge ? 'picture_too_large' : 'picture_unreadable', {}, { cause: error });
  }
}
