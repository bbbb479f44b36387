import sharp from 'sharp';
import { UpstreamError } from '../transport/upstream-error.ts';

/** As where pictures are read first. */
const MAX_PIXELS = 50_000_000;
/** More than any model looks at; in pixels along the longer side. */
const LONGEST_SIDE = 2_048;

/** A picture that a model cannot be given as it is, as a JPEG, or as a PNG where parts of it are transparent; of an animation the first frame. */
export async function convertPicture(data: Buffer): Promise<{ type: string; data: Buffer }> {
  try {
    const picture = sharp(data, { limitInputPixels: MAX_PIXELS, pages: 1 });
    const { hasAlpha } = await picture.metadata();
    const fitted = picture
      .autoOrient()
      .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true });
    return hasAlpha
      ? { type: 'image/png', data: await fitted.png().toBuffer() }
      : { type: 'image/jpeg', data: await fitted.jpeg({ quality: 90 }).toBuffer() };
  } catch (cause) {
    throw new UpstreamError('invalid_content', 'a picture could not be converted', { cause });
  }
}
