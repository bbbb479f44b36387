import type { Context } from 'hono';
import { Hono } from 'hono';
import type { Deps } from '#server/deps.ts';
import { clientIp } from '#server/platform/client-ip.ts';
import { emailRoutes } from './email/email-routes.ts';
import { noticeRoutes } from './email/notice-routes.ts';
import { googleRoutes } from './google/google-routes.ts';
import { signInMethodRoutes } from './google/sign-in-method-routes.ts';
import { resetRoutes } from './passwords/reset-routes.ts';
import type { PictureFacts } from './profile/picture-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import type { HttpEnv } from './sessions/authenticate.ts';
import { passkeySignInRoutes } from './sign-in/passkey-sign-in-routes.ts';
import { secondStepRoutes } from './sign-in/second-step-routes.ts';
import { sessionRoutes } from './sign-in/session-routes.ts';
import { signInLinkRoutes } from './sign-in/sign-in-link-routes.ts';

/** `/api/auth/*`: ways in and out; and what users see of their own accounts. */
export function accountRoutes(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'bus' | 'clock'>,
  facts: PictureFacts & { publishBalance(userId: string): Promise<void> },
) {
  const ipOf = (c: Context<HttpEnv>) =>
    clientIp(
      c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1',
      c.req.header('x-forwarded-for'),
      deps.config.trustProxy,
    );
  return new Hono<HttpEnv>()
    .route('/', sessionRoutes(deps, ipOf))
    .route('/', secondStepRoutes(deps, ipOf))
    .route('/', passkeySignInRoutes(deps, ipOf))
    .route('/', googleRoutes(deps, ipOf))
    .route('/', signInMethodRoutes(deps))
    .route('/', resetRoutes(deps, ipOf))
    .route('/', noticeRoutes(deps))
    .route('/', signInLinkRoutes(deps, ipOf))
    .route('/', emailRoutes(deps, ipOf, facts.publishBalance))
    .route('/', profileRoutes(deps, facts));
}
