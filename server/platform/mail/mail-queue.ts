import type { Sql } from 'postgres';
import type { Brand } from '#contract/brand.ts';
import type { Language } from '#contract/choices.ts';
import type { Clock } from '../clock.ts';
import type { Executor, Fragment } from '../database/database.ts';
import { newId } from '../ids.ts';
import type { Queue } from '../jobs/worker.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Mailer } from './mailer.ts';
import { type MailContent, renderMail } from './render-mail.ts';

export type MailParams = Readonly<Record<string, string | number>>;

/** A mail that is to go out; `template` names who composes it. */
export interface WantedMail {
  /** What is mailed once, such as `receipt:<order>`. */
  key: string;
  template: string;
  to: string;
  language: Language;
  params: MailParams;
  /** Whose it is, where the address does not say so: it is deleted with this user. */
  userId?: string;
}

/** A mail that is being sent. */
export interface TriedMail extends WantedMail {
  /** How often its sending was begun, this time included. */
  tries: number;
}

/** Says what a mail says at the moment it is sent, at each of its tries; null when it is not needed any more. */
export type ComposeMail = (mail: TriedMail) => Promise<MailContent | null>;

interface QueueDeps {
  config: { brand: Brand; publicUrl: string };
  database: { sql: Sql };
  clock: Clock;
  log: Log;
  metrics: Pick<Metrics, 'mails'>;
}

/** Minutes until the next try; after the last one it is given up, a good day later. */
const PAUSES = [0.5, 2, 10, 30, 60, 180, 360, 720];
/** One process has a mail for this long; then another may take it up. */
const LEASE_SECONDS = 120;
/** One after the other, so that they come in the order of what they tell. */
const MAILS_AT_ONCE = 1;
const KEPT_DAYS = 90;

/**
 * Puts a mail into the queue, inside the caller's transaction where there is one. Nothing happens where no mail server is set, and
 * with a key that was used before.
 */
export async function enqueueMail(
  sql: Executor,
  { config, clock }: { config: { mail: object | null }; clock: Clock },
  mail: WantedMail,
): Promise<void> {
  if (config.mail === null) return;
  const at = clock.now();
  await sql`
    insert into mails (id, key, template, to_address, language, params, user_id, created_at, next_try_at)
    values (${newId()}, ${mail.key}, ${mail.template}, ${mail.to}, ${mail.language}, ${sql.json(mail.params)}, ${mail.userId ?? null},
            ${at}, ${at})
    on conflict (key) do nothing`;
}

interface LeasedMail extends TriedMail {
  id: string;
}

/**
 * The mails that wait, each sent as the composer of its template says it, by any number of processes. A mail that the mail server
 * refuses is tried again for a day.
 */
export function mailQueue(
  deps: QueueDeps,
  mailer: Mailer,
  composers: Readonly<Record<string, ComposeMail>>,
): Queue<LeasedMail> {
  return {
    name: 'sending mail',
    slots: MAILS_AT_ONCE,
    due: () => dueMails(deps.database.sql, deps.clock.now()),
    lease: (limit) => leaseMails(deps, limit),
    async work(mail) {
      let isWanted: boolean;
      try {
        isWanted = await send(deps, mailer, mail, composers[mail.template]);
      } catch (error) {
        deps.log.warn(
          { err: error, mailId: mail.id, template: mail.template, tries: mail.tries },
          'a mail was not sent',
        );
        return postpone(deps, mail, error instanceof Error ? error.message : String(error));
      }
      await endMail(deps, mail.id, isWanted ? 'sent' : 'unwanted', null);
    },
  };
}

async function send(
  { config }: QueueDeps,
  mailer: Mailer,
  mail: LeasedMail,
  compose: ComposeMail | undefined,
): Promise<boolean> {
  if (!compose) throw new Error(`no composer for ${mail.template}`);
  const content = await compose(mail);
  if (content === null) return false;
  const rendered = renderMail(content, mail.language, config.brand, config.publicUrl);
  await mailer.send({ ...rendered, id: mail.id, to: mail.to });
  return true;
}

/** Keeps whose the mails to an address are that its user gives up: they are deleted with the user all the same. */
export async function updateMailsOwner(tx: Executor, address: string, userId: string): Promise<void> {
  await tx`update mails set user_id = ${userId} where to_address = ${address} and user_id is null`;
}

/** Deletes mails that ended long ago. */
export async function deleteOldMails({
  database,
  clock,
}: Pick<QueueDeps, 'database' | 'clock'>): Promise<void> {
  await database.sql`delete from mails where ended_at < ${clock.now()}::timestamptz - ${KEPT_DAYS} * interval '1 day'`;
}

/** Mails that are due. */
export function dueMails(sql: Executor, at: Date): Fragment {
  return sql`from mails where ended_at is null and next_try_at <= ${at} order by next_try_at`;
}

function leaseMails({ database, clock }: QueueDeps, limit: number): Promise<LeasedMail[]> {
  const now = clock.now();
  return database.sql<LeasedMail[]>`
    update mails m set tries = m.tries + 1, next_try_at = ${now}::timestamptz + ${LEASE_SECONDS} * interval '1 second'
      from (select id ${dueMails(database.sql, now)} limit ${limit} for update skip locked) due
     where m.id = due.id
    returning m.id, m.key, m.template, m.to_address as "to", m.language, m.params, m.tries`;
}

async function postpone(deps: QueueDeps, { id, tries }: LeasedMail, error: string): Promise<void> {
  const minutes = PAUSES[tries - 1];
  if (minutes === undefined) return endMail(deps, id, 'failed', error);
  deps.metrics.mails.inc({ outcome: 'postponed' });
  await deps.database.sql`
    update mails set error = ${error.slice(0, 500)}, next_try_at = ${deps.clock.now()}::timestamptz + ${minutes} * interval '1 minute'
     where id = ${id}`;
}

async function endMail(
  { database, clock, metrics }: QueueDeps,
  id: string,
  outcome: string,
  error: string | null,
): Promise<void> {
  await database.sql`
    update mails set ended_at = ${clock.now()}, outcome = ${outcome}, error = ${error}, params = '{}' where id = ${id}`;
  metrics.mails.inc({ outcome });
}
