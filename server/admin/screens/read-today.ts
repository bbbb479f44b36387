import type { DayFigures, Today } from '#contract/admin/screens.ts';
import { DAY_MS } from '#contract/time.ts';
import { type AlertRow, selectAlerts } from '#server/admin/alerts/alert-store.ts';
import type { Deps } from '#server/deps.ts';
import type { Executor } from '#server/platform/database/database.ts';
import { presentAlert } from './present-screen.ts';
import {
  countAnswers,
  countFailures,
  countInbox,
  countOpened,
  countRunning,
  countWaiting,
  sumMoney,
} from './today-store.ts';

/** How the product does: the last 24 hours beside those before them, and what waits now. */
export async function readToday(deps: Pick<Deps, 'database' | 'clock'>): Promise<Today> {
  const { sql } = deps.database;
  const now = deps.clock.now();
  const since = new Date(now.getTime() - DAY_MS);
  // Rows are dated by the database, whose clock may be ahead.
  const tomorrow = new Date(now.getTime() + DAY_MS);
  const { answers, firstText, charged, paid, lost, users } = await readDay(sql, since, tomorrow);
  const { running, held } = await countRunning(sql);
  const inbox = await countInbox(sql);
  const { uncredited, ...waiting } = await countWaiting(sql);
  const alerts = await selectAlerts(sql);
  return {
    since: since.getTime(),
    alerts: alerts.map(presentAlert),
    before: await readDay(sql, new Date(since.getTime() - DAY_MS), since),
    answers: { ...answers, running },
    firstText,
    failures: await countFailures(sql, since),
    credits: { charged, heldCount: running, held },
    drift: countFaults(alerts),
    inbox: { ...inbox, oldest: inbox.oldest?.getTime() ?? null },
    money: { paid, lost, uncredited },
    users,
    waiting,
  };
}

/** What is counted between two times. */
async function readDay(sql: Executor, since: Date, until: Date): Promise<DayFigures> {
  const { p50, p99, charged, active, ...answers } = await countAnswers(sql, since, until);
  const money = await sumMoney(sql, since, until);
  return {
    answers,
    firstText: { p50, p99 },
    charged,
    paid: money.filter(({ paid }) => paid > 0).map(({ currency, paid }) => ({ currency, minor: paid })),
    lost: money.filter(({ lost }) => lost > 0).map(({ currency, lost }) => ({ currency, minor: lost })),
    users: { opened: await countOpened(sql, since, until), active },
  };
}

/** Faults in the ledger that the check of each minute found and that stand, as the alert of them says. */
function countFaults(alerts: readonly AlertRow[]): number {
  return alerts
    .filter(({ kind }) => kind === 'ledger_drift')
    .reduce((sum, { details }) => sum + Number(details.faults), 0);
}
