import sharp from 'sharp';

/** A small JPEG, in base64. */
export async function makePicture(): Promise<string> {
  const create = { width: 32, height: 20, channels: 3 as const, background: '#2277aa' };
  return (await sharp({ create }).jpeg().toBuffer()).toString('base64');
}
