import type { Context } from 'hono';
import { Hono } from 'hono';
import type { Deps } from '#server/deps.ts';
import { clientAddress } from '#server/platform/client-address.ts';
import type { HttpEnv } from './authenticate.ts';
import { emailRoutes } from './email-routes.ts';
import { googleRoutes } from './google/google-routes.ts';
import { noticeRoutes } from './notice-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import type { UserFacts } from './read-user-record.ts';
import { resetRoutes } from './reset-routes.ts';
import { secondStepRoutes } from './second-step-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { signInLinkRoutes } from './sign-in-link-routes.ts';
import { signInMethodRoutes } from './sign-in-method-routes.ts';

/** `/api/auth/*`: ways in and out; and what users see of their own accounts. */
export function accountRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'bus' | 'clock'>,
  facts: UserFacts & { tellBalance(userId: string): Promise<void> },
) {
  const addressOf = (c: Context<HttpEnv>) =>
    clientAddress(
      c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1',
      c.req.header('x-forwarded-for'),
      deps.config.trustProxy,
    );
  return new Hono<HttpEnv>()
    .route('/', sessionRoutes(deps, addressOf))
    .route('/', secondStepRoutes(deps, addressOf))
    .route('/', googleRoutes(deps, addressOf))
    .route('/', signInMethodRoutes(deps))
    .route('/', resetRoutes(deps, addressOf))
    .route('/', noticeRoutes(deps))
    .route('/', signInLinkRoutes(deps, addressOf))
    .route('/', emailRoutes(deps, addressOf, facts.tellBalance))
    .route('/', profileRoutes(deps, facts));
}
