import type { Executor } from '#server/platform/database/database.ts';

/** Keeps a user's picture in place of the one before; the user's record names where it is. */
export async function savePicture(
  tx: Executor,
  picture: { userId: string; hash: string; image: Buffer; url: string; at: Date },
): Promise<void> {
  const { userId, hash, image, url, at } = picture;
  await tx`
    insert into pictures (user_id, hash, image, created_at) values (${userId}, ${hash}, ${image}, ${at})
    on conflict (user_id) do update set hash = excluded.hash, image = excluded.image, created_at = excluded.created_at`;
  await tx`update users set photo_url = ${url}, updated_at = ${at} where id = ${userId}`;
}

/**
 * Deletes the picture of a user; their record names none then. Locks the user first, as a new picture does by its trigger: else the two
 * wait for each other.
 */
export async function deletePictureRow(tx: Executor, userId: string, at: Date): Promise<void> {
  await tx`update users set photo_url = null, updated_at = ${at} where id = ${userId}`;
  await tx`delete from pictures where user_id = ${userId}`;
}

/** The picture of a user, if it is still the one of this hash. */
export async function findPicture(sql: Executor, userId: string, hash: string): Promise<Buffer | null> {
  const [row] = await sql<{ image: Buffer }[]>`
    select image from pictures where user_id = ${userId} and hash = ${hash}`;
  return row?.image ?? null;
}
