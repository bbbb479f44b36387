import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '#contract/time.ts';
import { limitMails } from '#server/accounts/abuse/limit-mails.ts';
import { hashEmail } from '#server/accounts/abuse/normalise-email.ts';
import { closeBilling } from '#server/billing/close-billing.ts';
import { deleteUserMessages } from '#server/chat/conversations/delete-old-conversations.ts';
import { stopAllMessages } from '#server/chat/messages/stop-message.ts';
import type { Deps } from '#server/deps.ts';
import { deleteUserFiles } from '#server/files/removal/delete-file.ts';
import { backoffMs } from '#server/platform/jobs/worker.ts';
import { enqueueMail } from '#server/platform/mail/mail-queue.ts';
import {
  type Deletion,
  extendLease,
  findRecipient,
  leaseDeletions,
  lockLeaver,
  postponeDeletion,
} from './deletion-queue-store.ts';
import { deleteUserChunks } from './export-store.ts';
import { CHUNKS_AT_ONCE } from './run-export.ts';
import {
  deleteApiMessages,
  deleteBelongings,
  deleteConversations,
  deleteCorrespondence,
  eraseBuyers,
  stripUser,
} from './user-rows-store.ts';

/** Longer than the questions to the providers can take. */
export const LEASE_MS = 120_000;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = HOUR_MS;
/** Answers that are stopped end within moments, those of a dead process when the reaper has found them. */
const STOPPING_MS = 500;
/** In one statement: a conversation may have tens of thousands of messages. */
const CONVERSATIONS_AT_ONCE = 5;
const MESSAGES_AT_ONCE = 500;
const FILES_AT_ONCE = 10;
const MAX_REST_MS = 1_000;

export type DeletionDeps = Pick<
  Deps,
  'config' | 'database' | 'clock' | 'log' | 'bus' | 'providers' | 'generation'
>;

/** Takes deletions that are due. */
export function leaseDeletion(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  limit: number,
): Promise<Deletion[]> {
  return leaseDeletions(database.sql, clock.now(), LEASE_MS, limit);
}

/**
 * Continues the deletion of an account as far as possible: stops running answers, has the providers end every subscription,
 * then erases the user. Nothing personal is deleted before the providers have confirmed. Safe to repeat after a crash anywhere.
 */
export async function runDeletion(deps: DeletionDeps, { userId, tries }: Deletion): Promise<void> {
  const { database, clock, log } = deps;
  const postpone = (ms: number, why: string) =>
    postponeDeletion(database.sql, userId, new Date(clock.now().getTime() + ms), why);
  try {
    const running = await stopAllMessages(deps, userId);
    const waitsFor = await closeBilling(deps, userId);
    if (waitsFor !== null) {
      log.warn({ userId, tries, waitsFor }, 'the deletion of an account waits for a payment provider');
      return await postpone(backoffMs(tries, FIRST_RETRY_MS, MAX_RETRY_MS), waitsFor);
    }
    if (running > 0 && (await stopAllMessages(deps, userId)) > 0)
      return await postpone(STOPPING_MS, 'answers are being stopped');
    await eraseUser(deps, userId);
  } catch (err) {
    log.error({ err, userId, tries }, 'the deletion of an account failed and will be tried again');
    await postpone(backoffMs(tries, FIRST_RETRY_MS, MAX_RETRY_MS), String(err));
  }
}

/** Deletes the bulk in small pieces; the identity goes last, in one transaction with the mail that confirms it. */
async function eraseUser(deps: DeletionDeps, userId: string): Promise<void> {
  const { database, clock, config } = deps;
  const { sql } = database;
  const conversations = CONVERSATIONS_AT_ONCE;
  const limit = MESSAGES_AT_ONCE;
  await deleteInSteps(deps, userId, FILES_AT_ONCE, () => deleteUserFiles(deps, userId, FILES_AT_ONCE));
  const step = { conversations, messages: limit };
  do await deleteInSteps(deps, userId, limit, () => deleteUserMessages(deps, userId, step));
  while ((await deleteConversations(sql, userId, conversations)) === conversations);
  await deleteInSteps(deps, userId, limit, () => deleteApiMessages(sql, userId, limit));
  await deleteInSteps(deps, userId, CHUNKS_AT_ONCE, () => deleteUserChunks(sql, userId, CHUNKS_AT_ONCE));
  await sql.begin(async (tx) => {
    await lockLeaver(tx, userId);
    const recipient = await findRecipient(tx, userId);
    if (!recipient?.email) return;
    const { email, language } = recipient;
    await deleteBelongings(tx, userId);
    await deleteCorrespondence(tx, email);
    if ((await limitMails(tx, deps, 'account_deleted', email)) === 0)
      await enqueueMail(tx, deps, {
        key: `account_deleted:${userId}`,
        template: 'account_deleted',
        to: email,
        language,
        params: {},
      });
    await stripUser(tx, userId, hashEmail(config.authSecret, email), clock.now());
  });
  await eraseBuyers(sql);
}

/** Deletes until a step finds fewer than `limit`. It rests as long as each step took, so that others are served meanwhile. */
async function deleteInSteps(
  { database, clock }: DeletionDeps,
  userId: string,
  limit: number,
  step: () => Promise<number>,
): Promise<void> {
  for (;;) {
    const before = performance.now();
    if ((await step()) < limit) return;
    await sleep(Math.min(performance.now() - before, MAX_REST_MS));
    await extendLease(database.sql, userId, new Date(clock.now().getTime() + LEASE_MS));
  }
}
