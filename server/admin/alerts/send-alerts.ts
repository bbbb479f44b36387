import { createHash } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { callWebhook } from '#server/platform/fetch/call-webhook.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import { isLoggedWhereFound } from './alert-rules.ts';
import { type AlertRow, leaseAlerts, markSent } from './alert-store.ts';

export type SendDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>;

/** `raised`: it is new; `standing`: it is there for another day; `ended`: it was not found any more. */
export type AlertState = 'raised' | 'standing' | 'ended';

/** One that fails comes again after this time, which is longer than a call may take. */
const LEASE_MS = MINUTE_MS;
const MAX_AT_ONCE = 20;

function stateOf({ endedAt, sent }: Pick<AlertRow, 'endedAt' | 'sent'>): AlertState {
  if (endedAt !== null) return 'ended';
  return sent === 0 ? 'raised' : 'standing';
}

/**
 * Alerts the operator of what is due: a line in the log, unless its finder wrote it, and a mail and a call where those are set. What
 * stands is sent again each day, and once when it is over. An alert that could not be sent is sent again after a minute, for a day where the
 * call alone failed: the mails of the next days do not wait for it. Each is leased by itself: however long the calls before it take, no
 * other process sends it meanwhile.
 */
export async function sendAlerts(deps: SendDeps): Promise<void> {
  for (let sent = 0; sent < MAX_AT_ONCE; sent += 1) {
    const [alert] = await leaseAlerts(deps.database.sql, deps.clock.now(), LEASE_MS, 1);
    if (!alert) return;
    await sendAlert(deps, alert);
  }
}

async function sendAlert(deps: SendDeps, alert: AlertRow): Promise<void> {
  const { database, clock, log } = deps;
  try {
    await mailAlert(deps, alert);
    await callOperator(deps, alert);
    const next = alert.endedAt === null ? new Date(clock.now().getTime() + DAY_MS) : null;
    await markSent(database.sql, alert, next);
  } catch (err) {
    log.warn({ err, kind: alert.kind }, 'an alert was not sent and will be tried again');
  }
}

/** Says it in the log, and by mail where that is set. */
async function mailAlert(deps: SendDeps, alert: AlertRow): Promise<void> {
  const { kind, subject, details, raisedAt, sent } = alert;
  const { mail, language } = deps.config.operator;
  const state = stateOf(alert);
  if (state === 'ended') deps.log.info({ ended: kind, subject }, 'what the operator was alerted of is over');
  else if (state === 'standing' || !isLoggedWhereFound(kind))
    deps.log.error({ alert: kind, state, subject, ...details }, 'this needs the operator');
  if (mail !== null) {
    await enqueueMail(deps.database.sql, deps, {
      key: `alert:${kind}:${hashOf(subject)}:${raisedAt.getTime()}:${sent}:${state}`,
      template: 'operator_alert',
      to: mail,
      language,
      params: { ...details, kind, subject, state, raisedAt: raisedAt.getTime() },
    });
  }
}

/**
 * Calls the operator's webhook. Throws where it takes nothing, for a day where the operator has a mail of it besides; without one,
 * what began and ended meanwhile is not told any more.
 */
async function callOperator({ config, clock, log }: SendDeps, alert: AlertRow): Promise<void> {
  const { kind, subject, details, raisedAt, endedAt, sent } = alert;
  const { mail, webhook } = config.operator;
  if (webhook === null || (mail === null && endedAt !== null && sent === 0)) return;
  const body = { alert: kind, state: stateOf(alert), subject, details, raisedAt, endedAt };
  try {
    await callWebhook(webhook, body);
  } catch (err) {
    const age = clock.now().getTime() - (endedAt ?? raisedAt).getTime();
    if (mail === null || age < DAY_MS) throw err;
    log.warn({ err, kind }, 'an alert was mailed, and the webhook does not take it');
  }
}

/** Short, of any subject: the keys of mails are bounded. */
function hashOf(subject: string): string {
  return createHash('sha256').update(subject).digest('hex').slice(0, 16);
}
