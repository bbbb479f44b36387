import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerPageSchema, spendingSchema } from '#contract/credits.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask } from '#test/chat/chat.ts';
import { chargeHold, closeHold, takeHold } from '#test/credits/holds.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

describe('the routes of the ledger', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(async () => {
    await expectNoDrift(app.database.database.sql);
    await app.close();
  });

  /** A user who sent a message that failed, and one that still runs. */
  async function sender() {
    const client = await app.signedIn();
    const { sql } = app.database.database;
    const [failed, running] = [randomUUID(), randomUUID()];
    const hold = { userId: client.userId, cost: 15, model: 'parley-flash', at: null };
    await takeHold(sql, { ...hold, holdId: failed });
    const close = { userId: client.userId, holdId: failed, outcome: 'released', at: null } as const;
    await closeHold(sql, { ...close, reason: 'upstream_timeout' });
    await takeHold(sql, { ...hold, holdId: running });
    return { client, failed, running };
  }

  it('answers with the balance and the lines behind it', async () => {
    const { client, failed, running } = await sender();
    const response = await client.get('/api/credits/entries');
    expect(response.status).toBe(200);
    const page = ledgerPageSchema.parse(await response.json());
    expect(page).toMatchObject({
      balance: 25,
      nextCursor: null,
      entries: [
        { kind: 'charge', amount: -15, balanceAfter: 25, messageId: running, pending: true },
        { kind: 'release', amount: 15, balanceAfter: 40, messageId: failed, reason: 'upstream_timeout' },
        { kind: 'charge', amount: -15, balanceAfter: 25, messageId: failed },
        { kind: 'grant', amount: 40, balanceAfter: 40, reason: 'free_month' },
      ],
    });
  });

  it('says what the balance consists of, which adds up to it while messages are paid', async () => {
    const client = await app.signedIn();
    const { userId } = client;
    const { sql } = app.database.database;
    let isRead = false;
    const pay = async () => {
      while (!isRead) {
        const hold = { userId, holdId: randomUUID(), at: null };
        await takeHold(sql, { ...hold, cost: 1, model: 'parley-flash' });
        await closeHold(sql, { ...hold, outcome: 'released', reason: 'upstream_timeout' });
      }
    };
    const paying = pay();
    const sums: number[] = [];
    const balances: number[] = [];
    for (let times = 0; times < 60; times += 1) {
      const response = await client.get('/api/credits/entries?limit=1');
      const { balance, lots = [] } = ledgerPageSchema.parse(await response.json());
      sums.push(lots.reduce((sum, { credits }) => sum + credits, 0));
      balances.push(balance);
    }
    isRead = true;
    await paying;
    expect(sums).toEqual(balances);
  });

  it('says when free credits are given next, also when none are left', async () => {
    const client = await app.signedIn();
    const { sql } = app.database.database;
    const next = async (query = '') =>
      ledgerPageSchema.parse(await (await client.get(`/api/credits/entries${query}`)).json());
    const { lots, nextFreeAt } = await next();
    expect(nextFreeAt).toBe(lots?.[0]?.expiresAt);
    const all = { userId: client.userId, holdId: randomUUID(), cost: 40, model: 'parley-flash', at: null };
    await takeHold(sql, all);
    expect(await next()).toMatchObject({ balance: 0, lots: [], nextFreeAt });
    expect((await next('?kind=charge')).nextFreeAt).toBeUndefined();
    const withheld = await app.signedIn();
    await sql`update credit.account set free_withheld = true where user_id = ${withheld.userId}`;
    const page = (await (await withheld.get('/api/credits/entries')).json()) as object;
    expect(page).not.toHaveProperty('nextFreeAt');
  });

  it('tells what messages took, and not what came back', async () => {
    const { client } = await sender();
    const response = await client.get('/api/credits/spending');
    const { from, quarters } = spendingSchema.parse(await response.json());
    expect(quarters).toEqual([{ at: expect.any(Number), credits: 15 }]);
    expect((quarters[0]?.at ?? 0) % (15 * 60_000)).toBe(0);
    expect(quarters[0]?.at).toBeGreaterThan(from);
    const held = { userId: client.userId, holdId: randomUUID(), cost: 23, model: 'parley-flash', at: null };
    await takeHold(app.database.database.sql, held);
    await chargeHold(app.database.database.sql, { ...held, charge: 11 });
    const now = spendingSchema.parse(await (await client.get('/api/credits/spending')).json());
    expect(now.quarters.reduce((sum, { credits }) => sum + credits, 0)).toBe(26);
    expect((await app.visit().get('/api/credits/spending')).status).toBe(401);
  });

  it('names the model and the conversation of a message, and what the balance consists of', async () => {
    const client = await app.signedIn();
    const asked = await ask(client, { content: '潮汐', conversationId: randomUUID() });
    const page = async (query = '') =>
      ledgerPageSchema.parse(await (await client.get(`/api/credits/entries${query}`)).json());
    const { balance, entries, lots } = await page();
    expect(entries[0]).toMatchObject({ kind: 'charge', model: asked.modelType, conversationTitle: '潮汐' });
    expect(entries.at(-1)).not.toHaveProperty('model');
    expect(lots).toEqual([{ credits: balance, expiresAt: expect.any(Number) }]);
    expect((await page('?kind=charge')).lots).toBeUndefined();
    await client.request(`/api/conversations/${asked.conversationId}`, { method: 'DELETE' });
    expect((await page()).entries[0]).not.toHaveProperty('conversationTitle');
  });

  it('says on a charge which model answered and how much it read and wrote, until the message is deleted', async () => {
    const client = await app.signedIn();
    const { id, conversationId, modelVersion, usage } = await ask(client, {});
    expect(modelVersion).not.toBeNull();
    const entryOf = async () =>
      ledgerPageSchema
        .parse(await (await client.get('/api/credits/entries')).json())
        .entries.find(({ messageId }) => messageId === id);
    const csv = async () => (await client.get('/api/credits/entries.csv')).text();
    expect(await entryOf()).toMatchObject({ kind: 'charge', modelVersion, usage });
    const tail = `,${modelVersion},,${usage?.inputTokens},${usage?.outputTokens}\r\n`;
    expect(await csv()).toContain(tail);
    await client.request(`/api/conversations/${conversationId}`, { method: 'DELETE' });
    const entry = await entryOf();
    expect(entry).not.toHaveProperty('modelVersion');
    expect(entry).not.toHaveProperty('usage');
    expect(await csv()).not.toContain(tail);
  });

  it('pages by cursor and limit', async () => {
    const { client } = await sender();
    const first = ledgerPageSchema.parse(await (await client.get('/api/credits/entries?limit=3')).json());
    expect(first.entries).toHaveLength(3);
    const rest = await client.get(`/api/credits/entries?limit=3&cursor=${first.nextCursor}`);
    expect(await rest.json()).toMatchObject({ nextCursor: null, balance: 25, entries: [{ kind: 'grant' }] });
  });

  it('shows the lines of one kind alone, under the whole balance', async () => {
    const { client, failed } = await sender();
    const path = '/api/credits/entries?kind=charge&limit=1';
    const first = ledgerPageSchema.parse(await (await client.get(path)).json());
    expect(first).toMatchObject({ balance: 25, entries: [{ kind: 'charge', balanceAfter: 25 }] });
    const rest = await client.get(`${path}&cursor=${first.nextCursor}`);
    expect(await rest.json()).toMatchObject({
      balance: 25,
      nextCursor: null,
      entries: [{ kind: 'charge', messageId: failed }],
    });
    for (const [kind, reason] of [
      ['grant', 'free_month'],
      ['release', 'upstream_timeout'],
    ]) {
      const { entries } = ledgerPageSchema.parse(
        await (await client.get(`/api/credits/entries?kind=${kind}`)).json(),
      );
      expect(entries).toMatchObject([{ kind, reason }]);
    }
    for (const kind of ['expire', 'revoke', 'adjust'])
      expect(await (await client.get(`/api/credits/entries?kind=${kind}`)).json()).toMatchObject({
        entries: [],
      });
  });

  it.each([
    ['kind=gift', 'kind'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=abc', 'cursor'],
    ['cursor=', 'cursor'],
    ['cursor=-1', 'cursor'],
    ['cursor=1%00', 'cursor'],
    ['cursor=99999999999999999999', 'cursor'],
    ['userId=1', 'userId'],
  ])('refuses ?%s and names the parameter %s', async (query, field) => {
    const client = await app.signedIn();
    const response = await client.get(`/api/credits/entries?${query}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request', params: { field } } });
  });

  it('exports a file that a spreadsheet reads, in the caller’s language', async () => {
    const { client, failed, running } = await sender();
    const response = await client.request('/api/credits/entries.csv', {
      headers: { 'accept-language': 'zh-CN' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = bytes.toString('utf8').slice(1).split('\r\n');
    expect(lines[0]).toContain('时间（UTC）,类型,变动,余额,说明,消息编号,订单编号,模型');
    expect(lines.slice(1).map((line) => line.split(',').slice(1).join(','))).toEqual([
      `消费,-15,25,发送消息,${running},,parley-flash,,,,`,
      `退还,15,40,模型响应超时，全额退还,${failed},,parley-flash,,,,`,
      `消费,-15,25,发送消息,${failed},,parley-flash,,,,`,
      '发放,40,40,每月免费 Credits,,,,,,,',
      '',
    ]);
    const english = await client.request('/api/credits/entries.csv', {
      headers: { 'accept-language': 'en' },
    });
    expect(await english.text()).toContain('The model took too long');
  });

  it('refuses parameters of the export', async () => {
    const client = await app.signedIn();
    const response = await client.get('/api/credits/entries.csv?limit=1');
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { params: { field: 'limit' } } });
  });

  it('shows a visitor nothing, and everybody only their own lines', async () => {
    for (const path of ['/api/credits/entries', '/api/credits/entries.csv']) {
      expect((await app.visit().get(path)).status).toBe(401);
    }
    const { running } = await sender();
    const other = await app.signedIn();
    expect(await (await other.get('/api/credits/entries.csv')).text()).not.toContain(running);
    const page = await other.get('/api/credits/entries?cursor=999999999999999999');
    expect(await page.json()).toMatchObject({ balance: 40, entries: [{ kind: 'grant', amount: 40 }] });
  });
});
