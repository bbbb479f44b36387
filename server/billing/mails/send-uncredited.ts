import { MINUTE_MS } from '#contract/time.ts';
import type { Deps } from '#server/deps.ts';
import { callWebhook } from '#server/platform/fetch/call-webhook.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import { leaseUncredited, markAlerted, type UncreditedRow } from '../state/uncredited-store.ts';

type SendDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log'>;

/** One that fails comes again after this time. */
const LEASE_MS = MINUTE_MS;
const MAX_AT_ONCE = 20;

/**
 * Alerts the operator of charges that were paid and grant nothing, each once: a line in the log, a mail and a call where those are
 * set. An alert that fails is sent again.
 */
export async function sendUncredited(deps: SendDeps): Promise<void> {
  const { database, clock, log } = deps;
  for (const charge of await leaseUncredited(database.sql, clock.now(), LEASE_MS, MAX_AT_ONCE)) {
    try {
      await sendOne(deps, charge);
      await markAlerted(database.sql, charge, clock.now());
    } catch (err) {
      log.warn({ err, transactionId: charge.transactionId }, 'an alert was not sent and will be tried again');
    }
  }
}

async function sendOne(deps: SendDeps, charge: UncreditedRow): Promise<void> {
  const { provider, transactionId } = charge;
  const { mail, webhook } = deps.config.operator;
  deps.log.error({ alert: 'uncredited_charge', ...charge }, 'a charge was paid and grants nothing');
  if (mail !== null) {
    await enqueueMail(deps.database.sql, deps, {
      key: `uncredited:${provider}:${transactionId}`,
      template: 'uncredited_charge',
      to: mail,
      language: deps.config.operator.language,
      params: { provider, transactionId },
    });
  }
  if (webhook !== null) await callWebhook(webhook, { alert: 'uncredited_charge', ...charge });
}
