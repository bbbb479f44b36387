import { Hono } from 'hono';
import { z } from 'zod';
import { MAX_MARGIN_DAYS, type MarginQuery, marginQuery } from '#contract/admin/margin.ts';
import { INBOX_STATUSES } from '#contract/admin/screens.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { countDays, type Days, daysOf } from '../margin/margin-rules.ts';
import { presentMarginCsv } from '../margin/present-margin-csv.ts';
import { readMarginOfDays } from '../margin/read-margin-of-days.ts';
import { requireOperator } from '../operators/require-operator.ts';
import { listLosses, lossCursorSchema } from './list-losses.ts';
import { listWebhooks } from './list-webhooks.ts';
import { readLedger, readLedgerCheck } from './read-ledger.ts';

export const inboxQuery = z.strictObject({
  status: z.enum(INBOX_STATUSES).optional(),
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
});

export const disputesQuery = z.strictObject({ cursor: lossCursorSchema.optional() });

/** The days that fit into four digits of a year, and before which nothing was sold. */
const [FIRST_DAY, LAST_DAY] = ['2000-01-01', '2999-12-31'];

/** The screens about money: the margin, the ledger, webhooks, losses. */
export function moneyRoutes(deps: Deps) {
  return new Hono<HttpEnv>()
    .get('/api/admin/ledger', async (c) => {
      await requireOperator(deps, c);
      return c.json(await readLedger(deps));
    })
    .get('/api/admin/ledger/check', async (c) => {
      await requireOperator(deps, c);
      return c.json(await readLedgerCheck(deps, c.req.raw.signal));
    })
    .get('/api/admin/margin', async (c) => {
      await requireOperator(deps, c);
      return c.json(await readAsked(deps, parseQuery(c, marginQuery)));
    })
    .get('/api/admin/margin.csv', async (c) => {
      await requireOperator(deps, c);
      const margin = await readAsked(deps, parseQuery(c, marginQuery));
      return c.body(presentMarginCsv(margin), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="margin-${margin.from}-${margin.to}.csv"`,
      });
    })
    .get('/api/admin/inbox', async (c) => {
      await requireOperator(deps, c);
      const { status = null, cursor = null } = parseQuery(c, inboxQuery);
      return c.json(await listWebhooks(deps, { status, cursor }));
    })
    .get('/api/admin/disputes', async (c) => {
      await requireOperator(deps, c);
      return c.json(await listLosses(deps, parseQuery(c, disputesQuery).cursor ?? null));
    });
}

/** The margin that is asked for. Throws `invalid_request` for too many days, and for a last one before the first. */
function readAsked(deps: Deps, { days, from, to, users }: MarginQuery) {
  const count = days === undefined ? {} : { count: Number(days) };
  const asked: Days = daysOf({ from: from ?? null, to: to ?? null, ...count }, deps.clock.now());
  const number = countDays(asked);
  const isReal = asked.from >= FIRST_DAY && asked.to <= LAST_DAY && number >= 1 && number <= MAX_MARGIN_DAYS;
  if (!isReal) throw new AppError('invalid_request', { field: 'from' });
  return readMarginOfDays(deps, asked, { isPaid: users === 'paid' });
}
