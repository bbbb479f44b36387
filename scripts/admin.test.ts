import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderNumber } from '#contract/order-number.ts';
import { reconcileProvider } from '#server/billing/reconciliation/reconcile-provider.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { runAdmin } from '#test/admin/admin-program.ts';
import { openShop, type Shop } from '#test/billing/shop.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { databaseSettings } from '#test/database/database.ts';
import { insertUser } from '#test/factories.ts';
import { IS_LONG } from '#test/runs.ts';
import { keepEmulatorSettings } from './emulator-settings.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const admin = (...args: string[]) =>
  runAdmin(
    {
      ...shop.creem.env,
      ...shop.bagelpay.env,
      ...databaseSettings(shop.app.database.url),
      DATA_DIR: shop.app.config.dataDir,
    },
    ...args,
  );
const auditOf = (userId: string) =>
  shop.sql`select actor, act, subject, reason, details from billing.audit where user_id = ${userId} order by id`;

describe('the operator', () => {
  it.runIf(IS_LONG)('who mistypes is shown how it is done, with exit code 2', async () => {
    const { code, output } = await admin('grant', 'a@example.test', '5', '--days', '3');
    expect([code, output]).toEqual([2, expect.stringContaining('用法 Usage:')]);
  });

  it('gives and takes credits by hand, with a line in the ledger and a note of who and why', async () => {
    const buyer = await shop.buyer();
    const given = await admin(
      'grant',
      buyer.email,
      '25',
      '--days',
      '10',
      '--reason',
      'sorry for the outage',
      '--actor',
      'ann',
    );
    expect([given.code, given.output]).toEqual([0, expect.stringContaining('the balance is 65')]);
    const taken = await admin('take', buyer.userId, '50', '--reason', 'granted twice', '--actor', 'ben');
    expect([taken.code, taken.output]).toEqual([0, expect.stringContaining('the balance is 15')]);
    expect(await buyer.balance()).toBe(15);
    const { entries }: { entries: { kind: string; amount: number; reason: string }[] } =
      await buyer.read('/api/credits/entries');
    expect(entries.map(({ kind, amount, reason }) => [kind, amount, reason])).toEqual([
      ['adjust', -25, 'correction'],
      ['adjust', -25, 'correction'],
      ['adjust', 25, 'goodwill'],
      ['grant', 40, 'free_month'],
    ]);
    expect(await auditOf(buyer.userId)).toMatchObject([
      {
        actor: 'ann',
        act: 'grant',
        reason: 'sorry for the outage',
        details: { credits: 25, act: { days: 10 } },
      },
      { actor: 'ben', act: 'take', reason: 'granted twice', details: { credits: 50 } },
    ]);
    await expectNoDrift(shop.sql, buyer.userId);
  });

  it.runIf(IS_LONG)('cannot take more than there is, and nothing is noted then', async () => {
    const buyer = await shop.buyer();
    const { code, output } = await admin('take', buyer.email, '41', '--reason', 'x');
    expect([code, output]).toEqual([1, expect.stringContaining('41')]);
    expect(await buyer.balance()).toBe(40);
    expect(await auditOf(buyer.userId)).toEqual([]);
  });

  it.runIf(IS_LONG)('is told when there is no such user, order or webhook', async () => {
    for (const args of [
      ['user', 'nobody@example.test'],
      ['compare', 'not-an-order'],
      ['replay', '999999999'],
    ])
      expect(await admin(...args)).toMatchObject({ code: 1, output: expect.stringContaining('没有找到') });
  });

  it.runIf(IS_LONG)(
    'without the settings of a provider that was sold through is refused, rather than shown it wrongly',
    async () => {
      const buyer = await shop.buyer();
      await buyer.buy('bagelpay');
      const env = {
        ...databaseSettings(shop.app.database.url),
        DATA_DIR: shop.app.config.dataDir,
        ...shop.creem.env,
      };
      const ended = await runAdmin(env, 'user', buyer.email);
      expect([ended.code, ended.output]).toEqual([1, expect.stringContaining('BAGELPAY_API_KEY')]);
      const settings = {
        ...shop.bagelpay.env,
        CREEM_API_KEY: 'not taken',
        CREEM_BASE_URL: 'http://127.0.0.1:9',
      };
      keepEmulatorSettings(shop.app.config.dataDir, settings);
      expect((await runAdmin(env, 'user', buyer.email)).code).toBe(0);
      expect((await runAdmin({ ...env, EMULATORS: 'off' }, 'user', buyer.email)).code).toBe(1);
      rmSync(join(shop.app.config.dataDir, 'emulators'), { recursive: true });
    },
  );

  it.runIf(IS_LONG)('sees all of a user', async () => {
    const buyer = await shop.buyer();
    const { order, charges } = await buyer.buy('creem', 'gemini_pro');
    const { code, output } = await admin('user', buyer.email);
    expect(code).toBe(0);
    for (const part of [
      buyer.userId,
      order.id,
      charges[0]?.transactionId ?? '',
      '11.90 USD',
      'active',
      '1540',
    ])
      expect(output).toContain(part);
    // A mail may go out between the two.
    const byNumber = async () =>
      (await admin('user', orderNumber(order))).output === (await admin('user', buyer.email)).output;
    await expect.poll(byNumber).toBe(true);
  });

  it.runIf(IS_LONG)(
    'compares an order with what its provider tells, and takes it over only when asked to',
    async () => {
      const buyer = await shop.buyer();
      const { orderId } = (await (await buyer.begin('bagelpay')).json()) as { orderId: string };
      await shop.sql`update billing.polls set ask_at = ask_at + interval '1 day'`;
      await shop.sql`update billing.reviews set due_at = due_at + interval '1 day'`;
      await buyer.pay('bagelpay', orderId);
      const seen = await admin('compare', orderId);
      expect(seen.output).toContain(`- 现有 ours  order ${orderId} open`);
      expect(seen.output).toContain(`+ 将有 then  order ${orderId} paid`);
      expect(await buyer.balance()).toBe(40);
      const applied = await admin('compare', orderId, '--apply', '--reason', 'ticket 7', '--actor', 'ann');
      expect(applied.code).toBe(0);
      expect(await buyer.balance()).toBe(540);
      expect((await admin('compare', orderId)).output).toContain('They agree');
      expect(await auditOf(buyer.userId)).toMatchObject([
        { actor: 'ann', act: 'adopt_order', reason: 'ticket 7' },
      ]);
    },
  );

  it.runIf(IS_LONG)('sets a dispute aside, after which its user can buy again', async () => {
    const buyer = await shop.buyer();
    const { order, charges } = await buyer.buy('creem');
    const transaction = charges[0]?.transactionId;
    await shop.creem.control.act('dispute', { transaction });
    await admin('compare', order.id, '--apply', '--reason', 'look');
    expect(await buyer.status()).toMatchObject({ checkoutBlocked: 'disputed' });
    expect((await buyer.begin('bagelpay')).status).toBe(403);
    const key = `creem:${transaction}`;
    expect((await admin('clear-dispute', buyer.email, 'creem:other', '--reason', 'won')).code).toBe(1);
    expect((await admin('clear-dispute', buyer.email, key, '--reason', 'won', '--actor', 'ann')).code).toBe(
      0,
    );
    expect(await buyer.status()).toMatchObject({ checkoutBlocked: null });
    expect((await buyer.begin('bagelpay')).status).toBe(200);
    expect(await auditOf(buyer.userId)).toMatchObject([
      { act: 'adopt_order' },
      { actor: 'ann', act: 'clear_dispute', subject: key },
    ]);
  });

  it.runIf(IS_LONG)(
    'refunds a charge where the provider can, and what is unspent of it is taken back',
    async () => {
      const [buyer, other] = [await shop.buyer(), await shop.buyer()];
      const { charges } = await buyer.buy('creem');
      const paid = await other.buy('bagelpay');
      const refund = (email: string, key: string) =>
        admin('refund', email, key, '--reason', 'asked', '--yes');
      expect((await refund(buyer.email, `creem:${charges[0]?.transactionId}`)).code).toBe(0);
      expect(await buyer.balance()).toBe(40);
      const refused = await refund(other.email, `bagelpay:${paid.charges[0]?.transactionId}`);
      expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('bagelpay refund')]);
      expect(await other.balance()).toBe(540);
    },
  );

  it.runIf(IS_LONG)(
    'reads a stored webhook again, which changes nothing that took effect before',
    async () => {
      const buyer = await shop.buyer();
      await shop.creem.control.act('webhook', {
        url: `${shop.app.url}/webhooks/creem`,
        secret: 'whsec_test_secret',
      });
      const { orderId } = (await (await buyer.begin('creem')).json()) as { orderId: string };
      await buyer.pay('creem', orderId);
      await shop.creem.control.settle();
      await expect.poll(() => buyer.balance()).toBe(540);
      await expect
        .poll(async () => (await shop.sql`select from billing.inbox where status = 'new'`).length)
        .toBe(0);
      const listed = await admin('inbox', '--status', 'done');
      expect(listed.output).toContain('subscription.paid');
      const [row] = await shop.sql<
        { id: string }[]
      >`select id from billing.inbox where type = 'subscription.paid' limit 1`;
      const replayed = await admin('replay', row?.id ?? '', '--actor', 'ann');
      expect([replayed.code, replayed.output]).toEqual([0, expect.stringContaining('done')]);
      expect(await buyer.balance()).toBe(540);
      await shop.creem.control.act('webhook', { url: null });
    },
  );

  it.runIf(IS_LONG)('lets a user use the console whose address is proved, and no longer', async () => {
    const buyer = await shop.buyer();
    const make = () => admin('make-operator', buyer.email, '--reason', 'on call', '--actor', 'ann');
    expect(await make()).toMatchObject({ code: 1, output: expect.stringContaining('isn’t verified') });
    await shop.sql`update users set email_verified = true where id = ${buyer.userId}`;
    expect((await make()).code).toBe(0);
    expect((await admin('operators')).output).toContain(buyer.email);
    expect((await admin('remove-operator', buyer.userId, '--reason', 'left', '--actor', 'ann')).code).toBe(0);
    expect((await admin('sign-out', buyer.email, '--reason', 'left', '--actor', 'ann')).code).toBe(0);
    expect((await buyer.client.get('/api/me')).status).toBe(401);
    expect((await auditOf(buyer.userId)).map(({ act }) => act)).toEqual([
      'make_operator',
      'remove_operator',
      'sign_out',
    ]);
  });

  it.runIf(IS_LONG)('sees what does not act, and that the ledger is in order', async () => {
    const { baseUrl, apiKey } = shop.bagelpay.settings;
    const response = await fetch(`${baseUrl}/api/payments/checkouts`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        product_id: 'prod_pro_annual',
        units: '1',
        customer: { email: 'stranger@example.test' },
      }),
    });
    const { data } = (await response.json()) as { data: { payment_id: string } };
    await shop.bagelpay.control.act('pay', { checkout: data.payment_id, email: 'stranger@example.test' });
    const provider = shop.app.deps.providers.bagelpay;
    if (!provider) throw new Error('no provider');
    await reconcileProvider(shop.app.deps, provider);
    const { code, output } = await admin('quarantine');
    expect([code, output]).toEqual([0, expect.stringContaining('stranger@example.test')]);
    expect(await admin('drift')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Drift (must be empty)'),
    });
  });

  it.runIf(IS_LONG)('sees today, and pages of lists by what the page before says', async () => {
    expect((await admin('today')).output).toContain('Needs attention');
    const mistyped = await admin('failures', '--cursor', 'x');
    expect(mistyped).toEqual({ code: 2, output: expect.stringContaining('--cursor cannot be “x”') });
  });

  it.runIf(IS_LONG)('reads the margin of some days', async () => {
    const { code, output } = await admin('margin', '--from', '2026-11-01', '--to', '2026-11-30');
    expect([code, output]).toEqual([0, expect.stringMatching(/毛利 margin[\s\S]*By feature/)]);
  });
});

describe('an operator’s program', () => {
  it.runIf(IS_LONG)(
    'makes no secret in DATA_DIR, also where AUTH_SECRET is empty as in .env.example',
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'parley-admin-'));
      try {
        const env = { DATA_DIR: dataDir, AUTH_SECRET: '' };
        const ended = await runAdmin(env, 'restore', join(dataDir, 'missing'));
        expect(ended).toEqual({ code: 1, output: expect.stringContaining('is no backup') });
        expect(readdirSync(dataDir)).toEqual([]);
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );

  it.runIf(IS_LONG)(
    'knows the server’s secret from DATA_DIR where AUTH_SECRET is not set, and says where it knows none',
    async () => {
      await shop.app.visit().signUp();
      expect((await admin('abuse')).output).toContain('127.0.0.0/24');
      const dataDir = mkdtempSync(join(tmpdir(), 'parley-admin-'));
      try {
        const env = { ...databaseSettings(shop.app.database.url), DATA_DIR: dataDir };
        const { code, output } = await runAdmin(env, 'abuse');
        expect([code, output]).toEqual([0, expect.stringContaining('AUTH_SECRET is missing')]);
        expect(output).not.toContain('127.0.0.0/24');
        expect(readdirSync(dataDir)).toEqual([]);
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );
});

describe('the embedded database', () => {
  it.runIf(IS_LONG)(
    'is reached while the product runs and while it does not, and never made by the way',
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'parley-admin-'));
      try {
        expect(await runAdmin({ DATA_DIR: dataDir }, 'drift')).toMatchObject({
          code: 1,
          output: expect.stringContaining('DATA_DIR'),
        });
        const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
        expect((await runAdmin({ DATA_DIR: dataDir }, 'drift')).output).toContain('start the server once');
        await migrate(postgres.url);
        const database = openDatabase(postgres.url, { poolSize: 1 });
        const { email } = await insertUser(database.sql);
        await database.close();
        expect(await runAdmin({ DATA_DIR: dataDir }, 'user', email)).toMatchObject({
          code: 0,
          output: expect.stringContaining(email),
        });
        await postgres.stop();
        expect(await runAdmin({ DATA_DIR: dataDir }, 'user', email)).toMatchObject({
          code: 0,
          output: expect.stringContaining(email),
        });
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );
});
