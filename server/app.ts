import { Hono } from 'hono';
import { LANGUAGE_PATTERN } from '#contract/choices.ts';
import { keyRoutes } from '#server/accounts/api-keys/key-routes.ts';
import { passwordRoutes } from '#server/accounts/passwords/password-routes.ts';
import { accountRoutes } from '#server/accounts/routes.ts';
import { authenticate, type HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import { consoleRoutes } from '#server/admin/routes.ts';
import { webhookRoutes } from '#server/billing/inbox/webhook-routes.ts';
import { billingRoutes } from '#server/billing/routes.ts';
import { readSubscription, readTier } from '#server/billing/state/read-subscription.ts';
import { catalogueRoutes } from '#server/catalogue/routes.ts';
import { conversationRoutes } from '#server/chat/conversations/conversation-routes.ts';
import { listChargedMessages } from '#server/chat/conversations/list-charged-messages.ts';
import { messageRoutes } from '#server/chat/messages/message-routes.ts';
import { computerRoutes } from '#server/computer/routes.ts';
import { publishCredits } from '#server/credits/publish-credits.ts';
import { readBalance } from '#server/credits/read-balance.ts';
import { creditRoutes } from '#server/credits/routes.ts';
import { normalisePicture } from '#server/files/ingest/normalise-picture.ts';
import { fileRoutes } from '#server/files/routes.ts';
import { liveRoutes } from '#server/live/routes.ts';
import { apiPageRoutes } from '#server/openai-api/page-routes.ts';
import { openaiRoutes } from '#server/openai-api/routes.ts';
import { stopKeyRequests } from '#server/openai-api/stop-key-requests.ts';
import { personalDataRoutes } from '#server/personal-data/routes.ts';
import { bodyLimits } from './body-limits.ts';
import { isMigrated } from './db/migrate.ts';
import type { Deps } from './deps.ts';
import { answerError } from './platform/http/answer-error.ts';
import { guardRequest, limitBodies } from './platform/http/guard-request.ts';
import { limitRequests } from './platform/http/limit-requests.ts';
import { observeRequest } from './platform/http/observe-request.ts';
import { operationsRoutes } from './platform/http/operations-routes.ts';
import { pageRoutes } from './platform/http/page-routes.ts';
import { refuseUnknown } from './platform/http/refuse-unknown.ts';
import { sendSecurityHeaders } from './platform/http/security-headers.ts';
import type { StaticFiles } from './platform/http/static-files.ts';
import { requestLimits } from './request-limits.ts';

/** A conversation, or an order, is shown by the page of its kind and language; every screen of the console by its one page. */
const ONE_OF_MANY = new RegExp(
  `^(/(?:${LANGUAGE_PATTERN})/(?:chat|orders)(?=/[^/]+$)|/admin(?=/(?!assets/)))`,
);

export type App = Hono<HttpEnv>;

/** Everything that the server answers, from top to bottom as a request meets it. */
export function createApp(deps: Deps, files: StaticFiles): App {
  const { config, database, log, metrics } = deps;
  const { publicUrl, trustedOrigins, metricsToken, trustProxy } = config;
  const app: App = new Hono<HttpEnv>();
  app.onError((error, c) => answerError(error, c, log));
  app.notFound((c) => refuseUnknown(app, c));

  const bodies = bodyLimits(config);
  app.use(observeRequest(deps));
  app.use(sendSecurityHeaders(publicUrl));
  const limiter = limitRequests(requestLimits(config));
  app.route('/', openaiRoutes(deps, { limit: limiter.all, bodies: limitBodies(bodies) }));
  app.use('/webhooks/*', limiter.all);
  app.route('/', webhookRoutes(deps));
  app.use(guardRequest({ trustedOrigins, bodyLimits: bodies }));
  app.use('/readyz', limiter.all);
  app.route(
    '/',
    operationsRoutes({ metrics, metricsToken, trustProxy, isReady: () => isMigrated(database.sql) }),
  );

  app.use('/api/*', authenticate(deps), limiter.all, limiter.changes);
  app.route(
    '/',
    accountRoutes(deps, {
      readBalance: (userId) => readBalance(deps, userId),
      readSubscription: (userId) => readSubscription(deps, userId),
      normalisePicture: (userId, bytes) => normalisePicture(deps, userId, bytes),
      publishBalance: async (userId) => publishCredits(deps.bus, userId, await readBalance(deps, userId)),
    }),
  );
  app.route('/', passwordRoutes(deps));
  app.route(
    '/',
    catalogueRoutes(deps, {
      tier: (userId) => readTier(deps, userId),
      drivesBrowsers: () => deps.computer.isReady(),
    }),
  );
  app.route('/', creditRoutes(deps, { listMessages: listChargedMessages(deps) }));
  app.route('/', billingRoutes(deps));
  app.route('/', fileRoutes(deps));
  app.route('/', messageRoutes(deps));
  app.route('/', computerRoutes(deps));
  app.route('/', conversationRoutes(deps));
  app.route('/', liveRoutes(deps));
  app.route('/', keyRoutes(deps, { stopRequests: (userId, keyId) => stopKeyRequests(deps, userId, keyId) }));
  app.route('/', apiPageRoutes(deps));
  app.route('/', personalDataRoutes(deps));
  app.route('/', consoleRoutes(deps));

  for (const area of ['/api', '/api/*', '/webhooks/*']) app.all(area, (c) => refuseUnknown(app, c));
  app.route('/', pageRoutes(files, { pageFor: (path) => ONE_OF_MANY.exec(path)?.[1] ?? null }));
  return app;
}
