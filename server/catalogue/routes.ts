import { Hono } from 'hono';
import type { Tier } from '#contract/catalogue.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { readCatalogue } from './read-catalogue.ts';

/** `GET /api/catalogue`: models and plans, with `allowed` as the caller may use them, a visitor as a user on Free. */
export function catalogueRoutes(
  deps: Pick<Deps, 'config' | 'clock'>,
  read: { tier(userId: string): Promise<Tier> },
) {
  return new Hono<HttpEnv>().get('/api/catalogue', async (c) => {
    const actor = c.get('actor');
    const tier = actor ? await read.tier(actor.userId) : 'free';
    return c.json(readCatalogue(tier, deps.config.brand, deps.config.upstream.routes, deps.clock.now()));
  });
}
