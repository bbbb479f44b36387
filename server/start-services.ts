import { composeAccountMail } from '#server/accounts/mails/compose-account-mail.ts';
import { pruneSessions } from '#server/accounts/prune-sessions.ts';
import { startPayments } from '#server/billing/jobs.ts';
import { composeBillingMail } from '#server/billing/mails/compose-billing-mail.ts';
import { deleteOldConversations } from '#server/chat/conversations/delete-old-conversations.ts';
import { fillSearchIndex, indexMessages } from '#server/chat/search/index-messages.ts';
import { startLedger } from '#server/credits/jobs.ts';
import { deleteOldAnswers } from '#server/openai-api/delete-old-answers.ts';
import { stopRevokedKeys } from '#server/openai-api/stop-key-requests.ts';
import { startPersonalData } from '#server/personal-data/jobs.ts';
import type { Deps } from './deps.ts';
import { deleteOldRateLimits } from './platform/database/rate-limit.ts';
import { repeat } from './platform/jobs.ts';
import { deleteOldMails, sendDueMails } from './platform/mail/mail-queue.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/**
 * Begins all that goes on without a request, in the order in which each part needs the one before; it is safe on several
 * processes at once. Returns what ends it again.
 */
export async function startServices(deps: Deps): Promise<() => Promise<void>> {
  const { database, bus, instance, generation, upstream, log, metrics, sse } = deps;
  metrics.addGauge(
    'parley_running_answers',
    'Answers that this process generates now.',
    () => generation.size,
  );
  metrics.addGauge('parley_event_streams', 'Streams of events that are open now.', () => sse.size);
  await instance.start();
  await bus.start();
  generation.start();
  stopRevokedKeys(deps);
  const stopPayments = startPayments(deps);
  const stopPersonalData = startPersonalData(deps);
  const stopLedger = startLedger(deps);
  const jobs = [
    repeat('making messages searchable', SECOND_MS, () => indexMessages(deps), log),
    repeat('indexing the texts of users with many', MINUTE_MS, () => fillSearchIndex(deps), log),
    repeat('removing deleted conversations', MINUTE_MS, () => deleteOldConversations(deps), log),
    repeat('deleting sessions that are over', 30 * MINUTE_MS, () => pruneSessions(deps), log),
    repeat('erasing answers of the API', 15 * MINUTE_MS, () => deleteOldAnswers(deps), log),
    repeat(
      'deleting counts of attempts',
      30 * MINUTE_MS,
      () => deleteOldRateLimits(database.sql, deps.clock.databaseTime()),
      log,
    ),
  ];
  const { mailer } = deps;
  if (mailer) {
    const composers = { ...composeAccountMail(deps), ...composeBillingMail(deps) };
    jobs.push(
      repeat('sending mail', SECOND_MS, () => sendDueMails(deps, mailer, composers), log),
      repeat('deleting old mail', 60 * MINUTE_MS, () => deleteOldMails(deps), log),
    );
  }
  return async () => {
    for (const stop of jobs) stop();
    stopLedger();
    await Promise.all([stopPayments(), stopPersonalData()]);
    generation.close();
    await bus.close();
    await instance.stop();
    upstream.close();
    mailer?.close();
  };
}
