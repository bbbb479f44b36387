import { Hono } from 'hono';
import { linkTokenSchema } from '#contract/email.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/http/parse-body.ts';
import type { HttpEnv } from '../sessions/authenticate.ts';
import { disownNotice, readNoticeOffer } from './disown-notice.ts';

/** “This was not me”, by the link of a notice. */
export function noticeRoutes(deps: Pick<Deps, 'config' | 'database' | 'clock' | 'bus'>) {
  return new Hono<HttpEnv>()
    .post('/api/auth/disown-notice/offer', async (c) =>
      c.json(await readNoticeOffer(deps, (await parseBody(c, linkTokenSchema)).token)),
    )
    .post('/api/auth/disown-notice', async (c) =>
      c.json(await disownNotice(deps, (await parseBody(c, linkTokenSchema)).token)),
    );
}
