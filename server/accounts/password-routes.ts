import { Hono } from 'hono';
import { type WeighedPassword, weighPasswordSchema } from '#contract/accounts.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody } from '#server/platform/parse-body.ts';
import type { HttpEnv } from './authenticate.ts';
import { recogniseCommonPassword } from './recognise-common-password.ts';

/** What a form asks about a password before it is sent as one. */
export function passwordRoutes(deps: Pick<Deps, 'config'>) {
  return new Hono<HttpEnv>().post('/api/auth/weigh-password', async (c) => {
    const common = await recogniseCommonPassword(deps, await parseBody(c, weighPasswordSchema));
    return c.json({ common } satisfies WeighedPassword);
  });
}
