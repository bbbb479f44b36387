import { HOUR_MS } from '#contract/time.ts';
import { composeAccountMail } from './accounts/mails/compose-account-mail.ts';
import { composeOperatorAlert } from './admin/alerts/compose-operator-alert.ts';
import { composeBillingMail } from './billing/mails/compose-billing-mail.ts';
import type { Deps } from './deps.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import { deleteOldMails, mailQueue } from './platform/mail/mail-queue.ts';

/** Begins sending what waits in the queue of mails, where a mail server is set. */
export function wireMailJobs(deps: Deps, jobs: Jobs): void {
  const { mailer } = deps;
  if (!mailer) return;
  const composers = {
    ...composeAccountMail(deps),
    ...composeBillingMail(deps),
    ...composeOperatorAlert(deps),
  };
  jobs.startWorker(mailQueue(deps, mailer, composers));
  jobs.repeat('deleting old mail', HOUR_MS, () => deleteOldMails(deps));
}
