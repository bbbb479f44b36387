import type { Today } from '#contract/admin/screens.ts';
import { DAY_MS } from '#contract/time.ts';
import { type AlertRow, selectAlerts } from '#server/admin/alerts/alert-store.ts';
import type { Deps } from '#server/deps.ts';
import { presentAlert } from './present-screen.ts';
import { countAnswers, countFailures, countInbox, countWaiting, sumMoney } from './today-store.ts';

/** How the product does: the last 24 hours, and what waits now. */
export async function readToday(deps: Pick<Deps, 'database' | 'clock'>): Promise<Today> {
  const { sql } = deps.database;
  const since = new Date(deps.clock.now().getTime() - DAY_MS);
  const { completed, stopped, failed, interrupted, running, p50, p99, charged, active, heldCount, held } =
    await countAnswers(sql, since);
  const inbox = await countInbox(sql);
  const money = await sumMoney(sql, since);
  const { mails, exports, deletions, proposals, opened, uncredited } = await countWaiting(sql, since);
  const alerts = await selectAlerts(sql);
  return {
    since: since.getTime(),
    alerts: alerts.map(presentAlert),
    answers: { completed, stopped, failed, interrupted, running },
    firstText: { p50, p99 },
    failures: await countFailures(sql, since),
    credits: { charged, heldCount, held },
    drift: countFaults(alerts),
    inbox: { ...inbox, oldest: inbox.oldest?.getTime() ?? null },
    money: {
      paid: money.filter(({ paid }) => paid > 0).map(({ currency, paid }) => ({ currency, minor: paid })),
      lost: money.filter(({ lost }) => lost > 0).map(({ currency, lost }) => ({ currency, minor: lost })),
      uncredited,
    },
    users: { opened, active },
    waiting: { mails, exports, deletions, proposals },
  };
}

/** Faults in the ledger that the check of each minute found and that stand, as the alert of them says. */
function countFaults(alerts: readonly AlertRow[]): number {
  return alerts
    .filter(({ kind }) => kind === 'ledger_drift')
    .reduce((sum, { details }) => sum + Number(details.faults), 0);
}
