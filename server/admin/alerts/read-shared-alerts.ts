import { PROVIDER_NAME } from '#contract/choices.ts';
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts';
import { readLateCancellations } from '#server/billing/read-late-cancellations.ts';
import type { Deps } from '#server/deps.ts';
import { type FoundAlert, isFailing } from './alert-rules.ts';
import { countFailingAnswers, countFailingMails, countLateWebhooks } from './alert-store.ts';

type ReadDeps = Pick<Deps, 'database' | 'clock'>;

const WEBHOOK_AGE_MS = 10 * MINUTE_MS;
const ANSWERS_MS = 15 * MINUTE_MS;
const MAILS_MS = HOUR_MS;
const FAILED_SHARE = 0.2;
const FAILING_ADDRESSES = 3;

/** What the database says of all processes together: payment webhooks, cancellations, mail, answers that fail. */
export async function readSharedAlerts(deps: ReadDeps): Promise<FoundAlert[]> {
  const found = await Promise.all([
    readWebhooks(deps),
    readCancellations(deps),
    readMails(deps),
    readAnswers(deps),
  ]);
  return found.flat();
}

/** Payment webhooks that wait too long, and those that were given up. */
async function readWebhooks({ database, clock }: ReadDeps): Promise<FoundAlert[]> {
  const now = clock.now().getTime();
  const late = await countLateWebhooks(database.sql, new Date(now - WEBHOOK_AGE_MS));
  return late.flatMap(({ provider, waiting, oldest, failed }) => {
    const subject = PROVIDER_NAME[provider];
    const minutes = oldest === null ? 0 : Math.floor((now - oldest.getTime()) / MINUTE_MS);
    const found: FoundAlert[] = [];
    if (waiting > 0) found.push({ kind: 'webhooks_waiting', subject, details: { count: waiting, minutes } });
    if (failed > 0) found.push({ kind: 'webhooks_given_up', subject, details: { count: failed } });
    return found;
  });
}

/** Subscriptions that go on charging users who do not want them any more. */
async function readCancellations(deps: ReadDeps): Promise<FoundAlert[]> {
  const late = await readLateCancellations(deps);
  return late.map(
    ({ provider, count }): FoundAlert => ({
      kind: 'cancellations_late',
      subject: PROVIDER_NAME[provider],
      details: { count },
    }),
  );
}

/** A mail server that takes nothing, or refuses several addresses. One address that does not exist is no alert. */
async function readMails({ database, clock }: ReadDeps): Promise<FoundAlert[]> {
  const since = new Date(clock.now().getTime() - MAILS_MS);
  const { count, isSending } = await countFailingMails(database.sql, since);
  if (count === 0 || (isSending && count < FAILING_ADDRESSES)) return [];
  return [{ kind: 'mail_failing', subject: '', details: { count } }];
}

/** More than a fifth of the answers of the last 15 minutes failed. */
async function readAnswers({ database, clock }: ReadDeps): Promise<FoundAlert[]> {
  const since = new Date(clock.now().getTime() - ANSWERS_MS);
  const { count, all } = await countFailingAnswers(database.sql, since);
  if (!isFailing(count, all, FAILED_SHARE)) return [];
  return [{ kind: 'answers_failing', subject: '', details: { count, all } }];
}
