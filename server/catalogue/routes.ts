import { Hono } from 'hono';
import type { Catalogue, Tier } from '#contract/catalogue.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { listPaused } from './pause-model.ts';
import { markPaused, readCatalogue } from './read-catalogue.ts';

/** `GET /api/catalogue`: models and plans, with `allowed` as the caller may use them, a visitor as a user on Free. */
export function catalogueRoutes(
  deps: Pick<Deps, 'config' | 'clock' | 'database' | 'models'>,
  read: { tier(userId: string): Promise<Tier>; drivesBrowsers(): boolean },
) {
  return new Hono<HttpEnv>().get('/api/catalogue', async (c) => {
    const actor = c.get('actor');
    const tier = actor ? await read.tier(actor.userId) : 'free';
    const { brand, upstream, limits } = deps.config;
    await deps.models.refresh();
    const seen = { tier, brand, chains: upstream.chains, at: deps.clock.now() };
    const all = { ...readCatalogue(deps.models.all(), seen), promptLimit: limits.prompt };
    const catalogue = markPaused(all, await listPaused(deps));
    return c.json(read.drivesBrowsers() ? withBrowser(catalogue) : catalogue);
  });
}

/** What is offered where a browser is to be had. */
function withBrowser(catalogue: Catalogue): Catalogue {
  const models = catalogue.models.map((model) =>
    model.computer ? { ...model, computer: 'browser' as const } : model,
  );
  return { ...catalogue, models };
}
