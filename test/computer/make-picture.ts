import sharp from 'sharp';

/** What is given to a model as a picture, and no process looks through: it is none, and is not kept as a file. In base64. */
export const NOT_KEPT = Buffer.from('a picture').toString('base64');

/** A small JPEG, in base64. */
export async function makePicture(): Promise<string> {
  const create = { width: 32, height: 20, channels: 3 as const, background: '#2277aa' };
  return (await sharp({ create }).jpeg().toBuffer()).toString('base64');
}
