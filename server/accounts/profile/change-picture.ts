import { createHash } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { type RateLimit, takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { publishProfile } from './change-profile.ts';
import { deletePictureRow, findPicture, savePicture } from './picture-store.ts';

const PER_USER: RateLimit = { max: 30, windowSeconds: 3600 };
/** SHA-256 in base64url. */
const HASH = /^[\w-]{43}$/;

/** Who draws pictures: a domain right of this one, outside of the server. */
export interface PictureDrawing {
  /**
   * A square WebP of 256 pixels out of an uploaded picture: upright, the middle of it, the first frame, and nothing else that the file has
   * beside it (place, camera, comments). Throws `picture_unreadable`, `picture_too_large`, `unavailable`.
   */
  normalisePicture(userId: string, bytes: Buffer): Promise<Buffer>;
}

/** Gives the caller a picture, made anew out of what was uploaded. Throws `rate_limited`, and as `normalisePicture`. */
export async function changePicture(
  deps: Pick<Deps, 'database' | 'clock' | 'bus'>,
  { normalisePicture }: PictureDrawing,
  userId: string,
  bytes: Buffer,
): Promise<void> {
  const { database, clock } = deps;
  const seconds = await takeRateLimit(database.sql, `picture:${userId}`, PER_USER, clock.databaseTime());
  if (seconds > 0) throw new AppError('rate_limited', { seconds });
  const image = await normalisePicture(userId, bytes);
  const hash = createHash('sha256').update(image).digest('base64url');
  const url = `/api/pictures/${hash}`;
  await database.sql.begin((tx) => savePicture(tx, { userId, hash, image, url, at: clock.now() }));
  await publishProfile(deps, userId);
}

/** Takes the caller's picture away; nothing happens where there is none. */
export async function deletePicture(
  deps: Pick<Deps, 'database' | 'clock' | 'bus'>,
  userId: string,
): Promise<void> {
  await deps.database.sql.begin((tx) => deletePictureRow(tx, userId, deps.clock.now()));
  await publishProfile(deps, userId);
}

/** The caller's own picture. Throws `not_found` for any other. */
export async function readPicture(
  { database }: Pick<Deps, 'database'>,
  userId: string,
  hash: string,
): Promise<Buffer> {
  const image = HASH.test(hash) ? await findPicture(database.sql, userId, hash) : null;
  if (!image) throw new AppError('not_found');
  return image;
}
