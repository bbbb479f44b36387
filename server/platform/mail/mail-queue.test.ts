import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { DEFAULT_BRAND } from '#contract/brand.ts';
import { Crash, CrashingSql } from '#test/database/crashing-sql.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { startMailbox } from '#test/mailbox.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { type ComposeMail, enqueueMail, mailQueue } from './mail-queue.ts';
import { createMailer, type Mailer } from './mailer.ts';

const MINUTE = 60_000;
const FROM = 'Parley <support@parley.example>';
let database: TestDatabase;
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let mailer: Mailer;
const clock = new FakeClock();
beforeAll(async () => {
  [database, mailbox] = await Promise.all([createTestDatabase(), startMailbox()]);
  mailer = createMailer({ smtpUrl: mailbox.settings.SMTP_URL, from: FROM });
});
afterEach(() => mailbox.refuse(451, 0));
afterAll(async () => {
  mailer.close();
  await mailbox.close();
  await database.drop();
});

const config = { brand: DEFAULT_BRAND, publicUrl: 'https://parley.example', mail: {} };
const greeting: ComposeMail = async () => ({ subject: 'Hello', paragraphs: ['A word.'] });
let count = 0;

async function enqueue(key?: string) {
  count += 1;
  const to = `queue-${count}@example.test`;
  const { sql } = database.database;
  await enqueueMail(
    sql,
    { config, clock },
    {
      ...{ key: key ?? `greeting:${count}`, template: 'greeting', to, language: 'en' as const, params: {} },
    },
  );
  return to;
}

const metrics = createMetrics();
const counted = async (outcome: string) =>
  (await metrics.mails.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;

/** One look at the queue by one process. */
async function work(sql = database.database.sql, compose = greeting) {
  const deps = { config, clock, database: { sql }, log: createLog('silent'), metrics };
  const { lease, work: send } = mailQueue(deps, mailer, { greeting: compose });
  for (let leased = await lease(2); leased.length > 0; leased = await lease(2))
    await Promise.all(leased.map(send));
}

const rowOf = async (to: string) => {
  const [row] = await database.database
    .sql`select tries, outcome, error, next_try_at as "nextTryAt" from mails where to_address = ${to}`;
  return row;
};

it.each([
  ['before it has the mail', 1, 1],
  ['after the mail server has it', 2, 2],
])('a process that dies %s leaves it to another, under the same Message-ID', async (_, step, deliveries) => {
  const to = await enqueue();
  const crashing = new CrashingSql(database.database.sql, step);
  await expect(work(crashing.sql)).rejects.toThrow(Crash);
  await work();
  expect((await rowOf(to))?.outcome).toBe(step === 1 ? 'sent' : null);
  clock.moveTo(clock.now().getTime() + 2 * MINUTE + 1);
  await work();
  expect(await rowOf(to)).toMatchObject({ outcome: 'sent', tries: deliveries });
  await work();
  const mails = await mailbox.list(to);
  expect(mails).toHaveLength(deliveries);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
});

it('several processes that look at once send every mail once', async () => {
  const all = await Promise.all(Array.from({ length: 60 }, () => enqueue()));
  await Promise.all([work(), work(), work(), work()]);
  await work();
  for (const to of all) expect(await mailbox.list(to)).toHaveLength(1);
});

it('a key is told once, however many ask for it at once', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => enqueue('greeting:once')));
  await work();
  const mails = await Promise.all(all.map((to) => mailbox.list(to)));
  expect(mails.flat()).toHaveLength(1);
});

it('a mail that is refused waits longer each time, and goes out once', async () => {
  const late = await enqueue();
  await mailbox.refuse(451, 1_000);
  const waits: number[] = [];
  for (let tries = 1; tries <= 3; tries += 1) {
    await work();
    const row = await rowOf(late);
    expect(row).toMatchObject({ tries, outcome: null, error: expect.stringContaining('refused') });
    waits.push(Math.round(((row?.nextTryAt.getTime() - clock.now().getTime()) / MINUTE) * 2) / 2);
    clock.moveTo(row?.nextTryAt.getTime() + 1);
  }
  expect(waits).toEqual([0.5, 2, 10]);
  await mailbox.refuse(451, 0);
  await work();
  expect(await rowOf(late)).toMatchObject({ tries: 4, outcome: 'sent', error: null });
  expect(await mailbox.list(late)).toHaveLength(1);
});

it('a mail that is refused for a day is given up, and each refusal is counted', async () => {
  const never = await enqueue();
  const before = [await counted('postponed'), await counted('failed')];
  await mailbox.refuse(550, 1_000);
  for (let left = 12; left > 0; left -= 1) {
    clock.moveTo(clock.now().getTime() + 721 * MINUTE);
    await work();
  }
  expect(await rowOf(never)).toMatchObject({ tries: 9, outcome: 'failed' });
  expect(await mailbox.list(never)).toEqual([]);
  const after = [await counted('postponed'), await counted('failed')];
  expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([8, 1]);
});

it('what nobody needs any more is not sent', async () => {
  const to = await enqueue();
  const before = await counted('unwanted');
  await work(database.database.sql, async () => null);
  expect(await rowOf(to)).toMatchObject({ outcome: 'unwanted' });
  expect(await counted('unwanted')).toBe(before + 1);
  expect(await mailbox.list(to)).toEqual([]);
});
