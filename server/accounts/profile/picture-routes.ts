import { Hono } from 'hono';
import { MAX_PICTURE_BYTES } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { readBody } from '#server/platform/http/read-body.ts';
import { type HttpEnv, requireActor } from '../sessions/authenticate.ts';
import { readUserRecord, type UserFacts } from '../users/read-user-record.ts';
import { changePicture, deletePicture, type PictureDrawing, readPicture } from './change-picture.ts';

/** What domains right of this one know and do for it. */
export type PictureFacts = UserFacts & PictureDrawing;

/** A user's picture: set by the bytes of a file, read under an address that changes with it. */
export function pictureRoutes(deps: Pick<Deps, 'database' | 'clock' | 'bus'>, facts: PictureFacts) {
  return new Hono<HttpEnv>()
    .put('/api/me/picture', async (c) => {
      const { userId } = requireActor(c);
      await changePicture(deps, facts, userId, await readBody(c, MAX_PICTURE_BYTES));
      return c.json(await readUserRecord(deps, userId, facts));
    })
    .delete('/api/me/picture', async (c) => {
      const { userId } = requireActor(c);
      await deletePicture(deps, userId);
      return c.json(await readUserRecord(deps, userId, facts));
    })
    .get('/api/pictures/:hash', async (c) => {
      const { userId } = requireActor(c);
      const image = await readPicture(deps, userId, c.req.param('hash'));
      return c.body(new Uint8Array(image), 200, {
        'content-type': 'image/webp',
        'cache-control': 'private, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    });
}
