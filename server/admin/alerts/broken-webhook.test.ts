import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '#contract/time.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';
import { endAlerts, upsertAlerts } from './alert-store.ts';
import { sendAlerts } from './send-alerts.ts';

const OPERATOR = 'operator@example.test';

const clock = new FakeClock();
/** What the operator's webhook was called with; it takes nothing until `taking` is set, and then answers once that is done. */
const calls: { alert: string; state: string; subject: string }[] = [];
let taking: Promise<void> | null = null;
let onCall = () => {};
const receiver = createServer((request, response) => {
  void json(request).then(async (body) => {
    calls.push(body as (typeof calls)[number]);
    onCall();
    await taking;
    response.writeHead(taking ? 204 : 500).end();
  });
});
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let app: TestApp;
beforeAll(async () => {
  mailbox = await startMailbox();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  app = await createTestApp({
    clock,
    env: {
      ...mailbox.settings,
      OPERATOR_MAIL: OPERATOR,
      OPERATOR_WEBHOOK: `http://127.0.0.1:${port}/alerts`,
      OPERATOR_LANGUAGE: 'en',
    },
  });
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
  receiver.close();
});

test('an alert is sent once, however long the calls for those before it take', async () => {
  const { sql } = app.deps.database;
  const subjects = Array.from({ length: 20 }, (_, n) => `certificate-${n}.test`);
  const since = clock.now().getTime();
  const others: Promise<void>[] = [];
  /** Each call takes five seconds; later another process looks for what is due. */
  onCall = () => {
    clock.moveTo(clock.now().getTime() + 5_000);
    if (clock.now().getTime() - since > 61_000 && others.length === 0) others.push(sendAlerts(app.deps));
  };
  taking = Promise.resolve();
  const found = subjects.map((subject) => ({
    ...{ kind: 'certificate_ends' as const, subject, details: { days: 3 } },
  }));
  await upsertAlerts(sql, found, clock.now());
  await sendAlerts(app.deps);
  const called = () => calls.filter(({ alert }) => alert === 'certificate_ends').map((call) => call.subject);
  await expect.poll(() => called().length).toBeGreaterThanOrEqual(20);
  await Promise.all(others);
  expect(called().toSorted()).toEqual(subjects.toSorted());
  onCall = () => {};
  taking = null;
  await sql`delete from operator_alerts`;
});

test.runIf(IS_LONG)('while the webhook is broken the mail of an alert comes again each day', async () => {
  const { sql } = app.deps.database;
  const found = [{ kind: 'disk_full' as const, subject: '', details: { freeMb: 5, percent: 1 } }];
  /** The alert is found at the later time before that comes, so that no job ends it between the two. */
  const passDay = async () => {
    const later = clock.now().getTime() + 25 * HOUR_MS;
    await upsertAlerts(sql, found, new Date(later));
    clock.moveTo(later);
  };
  const sent = (times: number) =>
    expect
      .poll(
        async () =>
          (await sql`select from operator_alerts where kind = 'disk_full' and sent = ${times}`).count,
      )
      .toBe(1);
  await upsertAlerts(sql, found, clock.now());
  await mailbox.waitFor(OPERATOR, 1, /nearly full/);
  await passDay();
  await sent(1);
  for (const mails of [2, 3]) {
    await passDay();
    await mailbox.waitFor(OPERATOR, mails, /nearly full/);
    await sent(mails);
  }
});

test('an alert that ends while the webhook is called is said to be over all the same', async () => {
  const { sql } = app.deps.database;
  const states = () => calls.filter(({ alert }) => alert === 'cost_unknown').map(({ state }) => state);
  const answered = Promise.withResolvers<void>();
  taking = answered.promise;
  await upsertAlerts(sql, [{ kind: 'cost_unknown', subject: '', details: { count: 7 } }], clock.now());
  await expect.poll(states).toEqual(['raised']);
  await endAlerts(sql, [{ kind: 'cost_unknown', since: clock.now() }], clock.now());
  answered.resolve();
  await expect.poll(states).toEqual(['raised', 'ended']);
});

test('a mailed alert that the webhook never took is said to be over by mail', async () => {
  const { sql } = app.deps.database;
  taking = null;
  const subject = 'mailed.test';
  await upsertAlerts(sql, [{ kind: 'certificate_ends', subject, details: { days: 3 } }], clock.now());
  await mailbox.waitFor(OPERATOR, 1, /^Needs attention: .*mailed\.test/);
  await endAlerts(sql, [{ kind: 'certificate_ends', since: clock.now() }], clock.now());
  await mailbox.waitFor(OPERATOR, 1, /^Resolved: .*mailed\.test/);
  await sql`delete from operator_alerts`;
});
