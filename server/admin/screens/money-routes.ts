import { Hono } from 'hono';
import { z } from 'zod';
import { INBOX_STATUSES, type LedgerScreen } from '#contract/admin/screens.ts';
import type { HttpEnv } from '#server/accounts/sessions/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import { parseQuery } from '#server/platform/http/parse-body.ts';
import { requireOperator } from '../operators/require-operator.ts';
import { listLosses } from './list-losses.ts';
import { listWebhooks } from './list-webhooks.ts';
import { readLedger } from './read-ledger.ts';

export const inboxQuery = z.strictObject({
  status: z.enum(INBOX_STATUSES).optional(),
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
});

/** The screens about money: the ledger, webhooks, losses. */
export function moneyRoutes(deps: Deps) {
  /** Whoever asks meanwhile gets the same answer: it reads the whole ledger. */
  let checking: Promise<LedgerScreen> | null = null;
  return new Hono<HttpEnv>()
    .get('/api/admin/ledger', async (c) => {
      await requireOperator(deps, c);
      checking ??= readLedger(deps).finally(() => {
        checking = null;
      });
      return c.json(await checking);
    })
    .get('/api/admin/inbox', async (c) => {
      await requireOperator(deps, c);
      const { status = null, cursor = null } = parseQuery(c, inboxQuery);
      return c.json(await listWebhooks(deps, { status, cursor }));
    })
    .get('/api/admin/disputes', async (c) => {
      await requireOperator(deps, c);
      return c.json(await listLosses(deps));
    });
}
