import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { json } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AlertKind } from '#contract/admin/alerts.ts';
import type { Today } from '#contract/admin/screens.ts';
import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { createLog } from '#server/platform/log.ts';
import { read } from '#test/admin/console.ts';
import { makeOperator } from '#test/admin/operator.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { startPayments } from '#test/billing/payment-emulator.ts';
import { ask } from '#test/chat/chat.ts';
import { insertUser } from '#test/factories.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { startMailbox } from '#test/mailbox.ts';
import { IS_LONG } from '#test/runs.ts';
import { createSelfSigned } from '#test/self-signed.ts';
import { certificateAlert, diskAlert, isFailing } from './alert-rules.ts';
import { upsertAlerts } from './alert-store.ts';
import { recordAlerts } from './record-alerts.ts';
import { verifyCertificates } from './verify-certificates.ts';
import { watchProcess } from './watch-process.ts';

const OPERATOR = 'operator@example.test';
const GB = 1_073_741_824;

interface Call {
  alert: AlertKind;
  state: string;
  subject: string;
  details: Record<string, string | number>;
}

const clock = new FakeClock();
/** What the operator's webhook was called with; `refuses` makes it refuse. */
const calls: Call[] = [];
let refuses = false;
const receiver = createServer((request, response) => {
  void json(request).then((body) => {
    if (!refuses) calls.push(body as Call);
    response.writeHead(refuses ? 500 : 204).end();
  });
});

const logged: Record<string, unknown>[] = [];
/** The lines of the log that want a human, for one kind. */
const linesOf = (kind: AlertKind) => logged.filter(({ alert }) => alert === kind);

let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let creem: Awaited<ReturnType<typeof startPayments>>;
let app: TestApp;
let watch: ReturnType<typeof watchProcess>;

beforeAll(async () => {
  mailbox = await startMailbox();
  creem = await startPayments('creem');
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  app = await createTestApp({
    clock,
    log: createLog('info', { write: (line) => logged.push(JSON.parse(line)) }),
    env: {
      ...mailbox.settings,
      OPERATOR_MAIL: OPERATOR,
      OPERATOR_WEBHOOK: `http://127.0.0.1:${port}/alerts`,
      OPERATOR_LANGUAGE: 'en',
      ...creem.env,
    },
  });
});
afterAll(async () => {
  await app.close();
  await creem.close();
  await mailbox.close();
  receiver.close();
});
/** As a process that starts now. */
function startWatch(faultyUsers: string[] = []) {
  const { upstreamAlerts, httpDuration, webhooksRefused, paymentKeysRefused } = app.deps.metrics;
  for (const metric of [upstreamAlerts, httpDuration, webhooksRefused, paymentKeysRefused]) metric.reset();
  watch = watchProcess(app.deps, new Set(faultyUsers));
}

beforeEach(() => startWatch());
afterEach(async () => {
  refuses = false;
  calls.length = 0;
  logged.length = 0;
  await app.database.database.sql`delete from operator_alerts`;
  await app.database.database.sql`delete from mails where ended_at is null`;
});

/** Lets time go by, and looks. */
async function look(minutes = 1) {
  clock.moveTo(clock.now().getTime() + minutes * MINUTE_MS);
  await recordAlerts(app.deps, watch);
}

const standing = async () => {
  const rows = await app.database.database.sql<{ kind: AlertKind; subject: string }[]>`
    select kind, subject from operator_alerts where ended_at is null order by 1, 2`;
  return rows.map(({ kind, subject }) => `${kind} ${subject}`.trim());
};
const callsOf = (kind: AlertKind) => calls.filter(({ alert }) => alert === kind);

async function insertWebhook({ minutesAgo, status = 'new' }: { minutesAgo: number; status?: string }) {
  const at = new Date(clock.now().getTime() - minutesAgo * MINUTE_MS);
  const later = new Date(clock.now().getTime() + DAY_MS);
  const id = randomUUID();
  await app.database.database.sql`
    insert into billing.inbox (provider, dedupe_key, type, raw, headers, received_at, next_try_at, status)
    values ('creem', ${id}, 'checkout.completed', '{}', '{}', ${at}, ${later}, ${status})`;
  return () => app.database.database.sql`delete from billing.inbox where dedupe_key = ${id}`;
}

describe('an alert', () => {
  it('is sent once when it is raised, each day while it stands, and when it is over', async () => {
    const remove = await insertWebhook({ minutesAgo: 12 });
    await look();
    await look();
    await expect.poll(() => callsOf('webhooks_waiting')).toHaveLength(1);
    expect(calls[0]).toMatchObject({ state: 'raised', subject: 'Creem', details: { count: 1 } });
    const [mail] = await mailbox.waitFor(OPERATOR, 1, /webhooks? waiting/);
    expect(mail?.subject).toMatch(/^Needs attention: 1 Creem webhook waiting, .+ for \d+ min$/);
    expect(mail?.text).toContain(`${app.config.publicUrl}/admin`);
    clock.moveTo(clock.now().getTime() + DAY_MS);
    await look();
    await expect
      .poll(() => callsOf('webhooks_waiting').map(({ state }) => state))
      .toEqual(['raised', 'standing']);
    await remove();
    await look(10);
    expect(await standing()).toEqual(['webhooks_waiting Creem']);
    await look(10);
    expect(await standing()).toEqual([]);
    await expect.poll(() => callsOf('webhooks_waiting').at(-1)?.state).toBe('ended');
    await mailbox.waitFor(OPERATOR, 1, /^Resolved: 1 Creem/);
    expect(await mailbox.list(OPERATOR, /Creem/)).toHaveLength(3);
  });

  it('is one line of the log when it is raised: that of its finder, which knows the message, or of none', async () => {
    const user = await app.signedIn();
    await app.gemini.scenario('bad-key', { times: 1 });
    const { id } = await ask(user);
    const disk = { kind: 'disk_full', subject: '', details: { freeMb: 3, percent: 1 } } as const;
    await upsertAlerts(app.deps.database.sql, [disk], clock.now());
    await look();
    for (const kind of ['upstream_auth', 'disk_full'] as const)
      await expect.poll(() => callsOf(kind)).toHaveLength(1);
    expect(linesOf('upstream_auth')).toMatchObject([{ messageId: id, userId: user.userId }]);
    expect(linesOf('disk_full')).toMatchObject([{ state: 'raised', freeMb: 3 }]);
    const subject = callsOf('upstream_auth')[0]?.subject ?? '';
    const tomorrow = new Date(clock.now().getTime() + DAY_MS);
    await upsertAlerts(app.deps.database.sql, [{ kind: 'upstream_auth', subject, details: {} }], tomorrow);
    clock.moveTo(tomorrow.getTime());
    await expect.poll(() => callsOf('upstream_auth')).toHaveLength(2);
    expect(linesOf('upstream_auth')).toMatchObject([{ messageId: id }, { state: 'standing' }]);
  });

  it.runIf(IS_LONG)('that comes back after its end is raised again', async () => {
    const remove = await insertWebhook({ minutesAgo: 12 });
    await look();
    await expect.poll(() => callsOf('webhooks_waiting')).toHaveLength(1);
    await remove();
    await look(20);
    await expect.poll(() => callsOf('webhooks_waiting')).toHaveLength(2);
    const removeAgain = await insertWebhook({ minutesAgo: 12 });
    await look();
    await expect
      .poll(() => callsOf('webhooks_waiting').map(({ state }) => state))
      .toEqual(['raised', 'ended', 'raised']);
    await removeAgain();
  });

  it.runIf(IS_LONG)('is tried again until the webhook takes it, and mailed once', async () => {
    refuses = true;
    await upsertAlerts(
      app.deps.database.sql,
      [{ kind: 'disk_full', subject: '', details: { freeMb: 5, percent: 1 } }],
      clock.now(),
    );
    await mailbox.waitFor(OPERATOR, 1, /nearly full: 5 MB/);
    expect(callsOf('disk_full')).toEqual([]);
    refuses = false;
    clock.moveTo(clock.now().getTime() + 2 * MINUTE_MS);
    await expect.poll(() => callsOf('disk_full')).toHaveLength(1);
    expect(callsOf('disk_full')[0]?.state).toBe('raised');
    expect(await mailbox.list(OPERATOR, /nearly full: 5 MB/)).toHaveLength(1);
  });

  it('stands on the screen of today', async () => {
    const ann = await app.signedIn();
    await makeOperator(app.database.database.sql, ann.userId);
    expect((await read<Today>(ann, '/api/admin/today')).alerts).toEqual([]);
    await upsertAlerts(
      app.deps.database.sql,
      [{ kind: 'cost_unknown', subject: '', details: { count: 7 } }],
      clock.now(),
    );
    expect((await read<Today>(ann, '/api/admin/today')).alerts).toMatchObject([
      { kind: 'cost_unknown', subject: '', details: { count: 7 } },
    ]);
  });
});

describe('what is looked for', () => {
  it('webhooks that were given up', async () => {
    const remove = await insertWebhook({ minutesAgo: 1, status: 'failed' });
    await look();
    expect(await standing()).toEqual(['webhooks_given_up Creem']);
    await remove();
  });

  it('a mail server that takes nothing, but not one address that does not exist', async () => {
    const { sql } = app.database.database;
    const fail = (to: string) => sql`
      insert into mails (id, key, template, to_address, language, params, created_at, tries, next_try_at, error)
      values (${randomUUID()}, ${randomUUID()}, 'receipt', ${to}, 'zh', '{}', ${clock.now()}, 3,
              ${new Date(clock.now().getTime() + 30 * DAY_MS)}, '451 not now')`;
    await upsertAlerts(
      sql,
      [{ kind: 'disk_full', subject: '', details: { freeMb: 3, percent: 1 } }],
      clock.now(),
    );
    await expect
      .poll(
        async () =>
          (
            await sql`select from mails where outcome = 'sent' and ended_at > ${new Date(clock.now().getTime() - MINUTE_MS)}`
          ).count,
      )
      .toBeGreaterThan(0);
    await fail('nobody@example.test');
    await look();
    expect(await standing()).toEqual(['disk_full']);
    await fail('two@example.test');
    await fail('three@example.test');
    await look();
    expect(await standing()).toEqual(['disk_full', 'mail_failing']);
    await sql`delete from mails where to_address <> 'nobody@example.test' and ended_at is null`;
    await look(90);
    expect(await standing()).toContain('mail_failing');
  });

  it('a key that the model provider refuses', async () => {
    const user = await app.signedIn();
    await app.gemini.scenario('bad-key', { times: 1 });
    await ask(user);
    await look();
    expect(await standing()).toEqual([expect.stringMatching(/^upstream_auth gemini-/)]);
  });

  it('a key that a payment provider refuses', async () => {
    await creem.control.apiFault({ status: 401, match: '/v1/checkouts' });
    const asked = { orderId: 'one', productId: 'prod_pro_monthly', userEmail: null, metadata: {} };
    const checkout = () =>
      app.deps.providers.creem?.createCheckout({ ...asked, successUrl: `${app.url}/back` });
    await expect(checkout()).rejects.toMatchObject({ kind: 'misconfigured' });
    await look();
    expect(await standing()).toEqual(['payment_key_refused Creem']);
    await checkout();
    await look(20);
    expect(await standing()).toEqual([]);
  });

  it('a cancellation that its provider has not confirmed for an hour', async () => {
    const { sql } = app.database.database;
    const { userId } = await insertUser(sql);
    const [askedAt, later] = [clock.now(), new Date(clock.now().getTime() + DAY_MS)];
    await sql`insert into billing.account (user_id) values (${userId})`;
    await sql`
      insert into billing.cancellations (provider, subscription_id, user_id, period_end, reason, asked_at, next_try_at)
      values ('creem', 'sub_late', ${userId}, true, 'user', ${askedAt}, ${later})`;
    const gauge = async () =>
      /^parley_cancellations_late (\d+)$/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1];
    await look(59);
    expect([await standing(), await gauge()]).toEqual([[], '0']);
    await look(2);
    expect([await standing(), await gauge()]).toEqual([['cancellations_late Creem'], '1']);
    await sql`update billing.cancellations set done_at = ${clock.now()} where user_id = ${userId}`;
    await look(20);
    expect([await standing(), await gauge()]).toEqual([[], '0']);
  });

  it('answers that fail, unless the provider refuses by its rules', async () => {
    const { sql } = app.database.database;
    const { userId } = await insertUser(sql);
    const insert = (status: string, code: string | null) => sql`
      insert into messages (id, user_id, content, response, model, cost, credits_used, owner, status, error_code, created_at, ended_at,
                            end_seq)
      select gen_random_uuid(), ${userId}, 'q', 'a', 'parley-flash', 15, ${status === 'completed' ? 15 : 0}, ${randomUUID()},
             ${status}, ${code}, ${clock.now()}, ${clock.now()}, 1 from generate_series(1, 10)`;
    clock.moveTo(clock.now().getTime() + 20 * MINUTE_MS);
    for (let n = 0; n < 3; n += 1) await insert('completed', null);
    for (const code of ['upstream_blocked', 'schema_refused']) await insert('failed', code);
    await look();
    expect(await standing()).toEqual([]);
    await insert('failed', 'upstream_failed');
    await look();
    expect(await standing()).toEqual([]);
    await insert('failed', 'upstream_failed');
    await look();
    expect(await standing()).toEqual(['answers_failing']);
    await sql`delete from messages where user_id = ${userId}`;
  });

  it('webhooks of a wrong signature, while none is right', async () => {
    const forge = () =>
      fetch(`${app.url}/webhooks/creem`, {
        method: 'POST',
        headers: { 'creem-signature': '00'.repeat(32), 'content-type': 'application/json' },
        body: '{}',
      });
    const remove = await insertWebhook({ minutesAgo: 1, status: 'new' });
    for (let n = 0; n < 3; n += 1) expect((await forge()).status).toBe(401);
    await look();
    expect(await standing()).toEqual([]);
    await remove();
    await look();
    expect(await standing()).toEqual(['webhook_signature Creem']);
    for (let n = 0; n < 61; n += 1) await watch.find();
    expect(await watch.find()).toEqual([]);
  });

  it('requests that end in a fault of ours', async () => {
    const count = (status: number, times: number) => {
      for (let n = 0; n < times; n += 1)
        app.deps.metrics.httpDuration.observe({ method: 'GET', route: '/api/me', status }, 0.01);
    };
    count(500, 9);
    await look();
    expect(await standing()).toEqual([]);
    count(503, 2);
    await look();
    expect(await standing()).toEqual([`requests_failing ${hostname()}`]);
  });

  it('a ledger that does not add up, also after a restart', async () => {
    const { sql } = app.database.database;
    const user = await app.signedIn();
    await ask(user, {});
    const change = (by: number) =>
      sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`update credit.hold set cost = cost + ${by} where user_id = ${user.userId}`;
      });
    await change(5);
    startWatch([user.userId]);
    await look();
    expect(await standing()).toEqual(['ledger_drift']);
    startWatch();
    await look(20);
    expect(await standing()).toEqual(['ledger_drift']);
    await change(-5);
    await look(20);
    expect(await standing()).toEqual([]);
  });

  it('a certificate that ends soon, also one that nobody trusts; not a host that does not answer', async () => {
    const server = createTlsServer(createSelfSigned(), (socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = {
      ...app.config,
      publicUrl: `https://${host}`,
      operator: { ...app.config.operator, webhook: null },
    };
    const end = Date.UTC(new Date().getUTCFullYear() + 2, 0, 1);
    const at = (days: number) => ({ now: () => new Date(end - days * DAY_MS), databaseTime: () => null });
    expect(await verifyCertificates({ config, clock: at(20) })).toEqual([]);
    expect(await verifyCertificates({ config, clock: at(3) })).toEqual([
      { kind: 'certificate_ends', subject: host, details: { days: 3 } },
    ]);
    await new Promise((resolve) => server.close(resolve));
    expect(await verifyCertificates({ config, clock: at(3) })).toEqual([]);
  });

  it('a disk that is nearly full', () => {
    expect(diskAlert('one', 100 * GB, 1_000 * GB)).toEqual([]);
    expect(diskAlert('one', 40 * GB, 1_000 * GB)).toMatchObject([{ details: { percent: 4 } }]);
    expect(diskAlert('one', GB / 2, 5 * GB)).toMatchObject([
      { kind: 'disk_full', subject: 'one', details: { freeMb: 512, percent: 10 } },
    ]);
    expect(certificateAlert('a.test', new Date(DAY_MS), new Date(3 * DAY_MS))).toMatchObject([
      { details: { days: 0 } },
    ]);
    expect([isFailing(9, 9, 0.2), isFailing(10, 50, 0.2), isFailing(11, 50, 0.2)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
