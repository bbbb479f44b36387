import { Hono } from 'hono';
import { PROVIDERS } from '#contract/choices.ts';
import type { Deps } from '#server/deps.ts';
import { readBody } from '#server/platform/http/read-body.ts';
import { MAX_WEBHOOK, receiveWebhook, requireWebhook } from './receive-webhook.ts';

/** Where payment providers send their webhooks. What proves a caller is the signature over the bytes, and nothing else. */
export function webhookRoutes(
  deps: Pick<Deps, 'database' | 'clock' | 'bus' | 'metrics' | 'config' | 'providers'>,
) {
  const routes = new Hono();
  for (const name of PROVIDERS) {
    routes.post(`/webhooks/${name}`, async (c) => {
      const provider = requireWebhook(deps, name);
      await receiveWebhook(deps, provider, c.req.header(), await readBody(c, MAX_WEBHOOK));
      return c.json({ received: true });
    });
  }
  return routes;
}
