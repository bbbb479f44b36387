import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { MAX_USAGE_DAYS } from '#contract/keys.ts';
import { DAY_MS, dayOf } from '#contract/time.ts';
import { type Actor, type HttpEnv, requireActor } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { takeRateLimit } from '#server/platform/database/rate-limit.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { languageOf } from '#server/platform/translate.ts';
import { answerCompletion } from './answer-completion.ts';
import { presentUsageCsv, readUsage } from './read-usage.ts';

const WINDOW_SECONDS = 60;
const DAYS = 30;
/** PostgreSQL has no year 0. */
const FIRST_DAY = '0001-01-01';

export const daysQuery = z.strictObject({ from: z.iso.date().optional(), to: z.iso.date().optional() });

/** What the API page asks for in its reader's own name: requests of its builder, and usage. */
export function apiPageRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .post('/api/completions', async (c) => {
      const actor = requireActor(c);
      const { userId } = actor;
      const max = deps.config.limits.apiRequestsPerMinute;
      const limit = { max, windowSeconds: WINDOW_SECONDS };
      const seconds = await takeRateLimit(
        deps.database.sql,
        `api:${userId}`,
        limit,
        deps.clock.databaseTime(),
      );
      if (seconds > 0) throw new AppError('rate_limited', { seconds });
      endWithSession(deps, c, actor);
      return answerCompletion(deps, c, { userId, keyId: null, models: null }, languageOf(c));
    })
    .get('/api/keys/usage', async (c) => {
      const { userId } = requireActor(c);
      return c.json(await readUsage(deps, userId, readDays(parseQuery(c, daysQuery), deps.clock.now())));
    })
    .get('/api/keys/usage.csv', async (c) => {
      const { userId } = requireActor(c);
      const usage = await readUsage(deps, userId, readDays(parseQuery(c, daysQuery), deps.clock.now()));
      return c.body(presentUsageCsv(usage, languageOf(c)), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="api-usage.csv"',
      });
    });
}

/** A sign-out closes the connection, and the answer stops as for every caller that disconnects. */
function endWithSession(deps: Pick<Deps, 'sessions'>, c: Context<HttpEnv>, actor: Actor): void {
  const { outgoing } = c.env;
  // One that has closed says so no more.
  if (!outgoing || outgoing.closed) return;
  const unfollow = deps.sessions.follow(actor, () => outgoing.destroy());
  outgoing.once('close', unfollow);
}

/** The days asked for, by default the last 30 up to today in UTC. */
function readDays(given: z.infer<typeof daysQuery>, now: Date): { from: string; to: string } {
  const to = given.to ?? dayOf(now);
  const from = given.from ?? dayOf(Date.parse(to) - (DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (from < FIRST_DAY || days < 1 || days > MAX_USAGE_DAYS)
    throw new AppError('invalid_request', { field: 'from' });
  return { from, to };
}
