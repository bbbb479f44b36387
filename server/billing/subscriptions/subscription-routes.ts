import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { downgradeSchema, subscriptionChoiceSchema } from '#contract/billing.ts';
import { type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { parseBody, parseOptionalBody } from '#server/platform/http/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { openPortal } from './open-portal.ts';
import { readBillingStatus } from './read-billing-status.ts';
import { requestDowngrade } from './request-downgrade.ts';
import { resumeSubscription } from './resume-subscription.ts';

/** A body that may be there and says nothing. */
export const noBodySchema = z.strictObject({});

/** Where a subscription stands, and what its owner can do with it. */
export function subscriptionRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .get('/api/subscription', async (c) => answer(c, await readBillingStatus(deps, requireActor(c).userId)))
    .post('/api/subscription/cancel', async (c) => {
      const { userId } = requireActor(c);
      return answer(
        c,
        await cancelSubscription(deps, userId, await parseOptionalBody(c, subscriptionChoiceSchema)),
      );
    })
    .post('/api/subscription/resume', async (c) => {
      const { userId } = requireActor(c);
      const choice = await parseOptionalBody(c, subscriptionChoiceSchema);
      return answer(c, await resumeSubscription(deps, userId, choice, languageOf(c)));
    })
    .post('/api/subscription/downgrade', async (c) => {
      const { userId } = requireActor(c);
      return answer(c, await requestDowngrade(deps, userId, await parseBody(c, downgradeSchema)));
    })
    .post('/api/subscription/portal', async (c) => {
      const { userId } = requireActor(c);
      await parseOptionalBody(c, noBodySchema);
      return answer(c, await openPortal(deps, userId, languageOf(c)));
    });
}

/** An answer for this user only, which is not cached. */
export function answer<T extends object>(c: Context<HttpEnv>, body: T): Response {
  c.header('cache-control', 'no-store');
  return c.json(body);
}
