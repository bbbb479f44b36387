import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { productsOf } from '#emulators/payments/products-of.ts';
import { PLANS } from '#server/catalogue/plans.ts';
import { migrate } from '#server/db/migrate.ts';
import { connectPostgres } from '#server/platform/database/database.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { SECRET } from '#test/billing/payment-emulator.ts';
import { ask } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { createEmptyDatabase } from '#test/database/old-database.ts';
import { readTexts } from '#test/database/schema-texts.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';
import { describeSchema } from './describe-schema.ts';

interface Seen {
  me: Record<string, unknown> & { credits: number; email: string };
  subscription: unknown;
  orders: unknown;
  keys: unknown;
  conversations: { id: string; updatedAt: number }[];
  messages: Record<string, { messages: Message[] }>;
}

const FOLDER = join(import.meta.dirname, '../../test/upgrades');
const PASSWORD = 'violet tram 1863';
const before = JSON.parse(readFileSync(join(FOLDER, '435e2cc.json'), 'utf8')) as {
  ada: Seen;
  bo: Seen;
  running: [string, string];
  key: string;
};
/** Both are configured; nothing listens there. */
const PROVIDERS = Object.fromEntries(
  ['CREEM', 'BAGELPAY'].flatMap((name) => [
    [`${name}_API_KEY`, 'creem_test_key'],
    [`${name}_BASE_URL`, 'http://127.0.0.1:9'],
    [`${name}_WEBHOOK_SECRET`, SECRET],
    ...productsOf(PLANS).map(({ id }) => [`${name}_${id.replace('prod', 'product').toUpperCase()}`, id]),
  ]),
);
/** A minute after the dump. */
const NOW = Math.max(...before.bo.conversations.map(({ updatedAt }) => updatedAt)) + 60_000;

describe.for(POSTGRES_VERSIONS)('a database of version 435e2cc on PostgreSQL %i', (version) => {
  let app: TestApp;
  let sql: Sql;
  let ada: TestClient;
  let bo: TestClient;

  beforeAll(async () => {
    const database = await createEmptyDatabase({ version });
    sql = database.database.sql;
    const restoring = connectPostgres(database.url, { max: 1, onnotice: () => {} });
    await restoring.unsafe(readFileSync(join(FOLDER, '435e2cc.sql'), 'utf8'));
    await restoring.end();
    await migrate(database.url);
    app = await createTestApp({ database, env: PROVIDERS, clock: new FakeClock(NOW) });
    ada = await signIn(before.ada.me.email);
    bo = await signIn(before.bo.me.email);
  });
  afterAll(() => app.close());

  async function signIn(email: string): Promise<TestClient> {
    const client = app.visit();
    const response = await client.post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect(response.status).toBe(200);
    return client;
  }

  const read = async <T>(client: TestClient, path: string) => (await (await client.get(path)).json()) as T;

  it('has the schema and the functions of a new one', async () => {
    const fresh = await createTestDatabase({ version });
    const written = readFileSync(join(import.meta.dirname, '../../server/db/schema.sql'), 'utf8');
    expect(await sql.begin(describeSchema)).toBe(written);
    expect(await readTexts(sql)).toEqual(await readTexts(fresh.database.sql));
    await fresh.drop();
  });

  it('shows each message that it showed', async () => {
    for (const [client, seen] of [
      [ada, before.ada],
      [bo, before.bo],
    ] as const) {
      for (const [id, { messages }] of Object.entries(seen.messages)) {
        const page = await read<{ messages: Message[] }>(client, `/api/messages?conversationId=${id}`);
        for (const message of messages)
          expect(page.messages.find((one) => one.id === message.id)).toMatchObject(message);
      }
    }
  });

  it('interrupts the answers that ran, keeps what was written of them and releases their Credits', async () => {
    for (const [client, id] of [
      [ada, before.running[0]],
      [bo, before.running[1]],
    ] as const) {
      const message = await awaitInterrupted(client, id);
      expect(message).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
      expect(message.response.length).toBeGreaterThan(10);
    }
    expect([...(await sql`select * from credit.hold where state = 'held'`)]).toEqual([]);
    await expectNoDrift(sql);
  });

  async function awaitInterrupted(client: TestClient, id: string): Promise<Message> {
    for (;;) {
      const message = await read<Message>(client, `/api/messages/${id}`);
      if (message.status !== 'running') return message;
      await sleep(200);
    }
  }

  it('keeps plans, orders and Credits', async () => {
    for (const [client, id, seen] of [
      [ada, before.running[0], before.ada],
      [bo, before.running[1], before.bo],
    ] as const) {
      await awaitInterrupted(client, id);
      const { lastLoginAt: _, ...me } = seen.me;
      expect(await read(client, '/api/me')).toMatchObject(me);
      expect(await read(client, '/api/subscription')).toMatchObject(seen.subscription as object);
      expect(await read(client, '/api/orders')).toMatchObject(seen.orders as object);
    }
  });

  it('takes the API key', async () => {
    const headers = { authorization: `Bearer ${before.key}` };
    expect((await app.visit({ headers }).get('/v1/models')).status).toBe(200);
  });

  it('brings back the conversation that was just deleted', async () => {
    const [gone] = await sql`select id from conversations where deleted_at is not null`;
    expect((await ada.get(`/api/conversations/${gone?.id}`)).status).toBe(404);
    expect((await ada.post(`/api/conversations/${gone?.id}/restore`)).status).toBe(200);
    const page = await read<{ messages: Message[] }>(ada, `/api/messages?conversationId=${gone?.id}`);
    expect(page.messages.map(({ content }) => content)).toEqual(['Please forget this question.']);
  });

  it('goes on: a message under an old one is answered, charged and found', async () => {
    const [old] = Object.values(before.bo.messages)[0]?.messages ?? [];
    if (!old) throw new Error('the fixture has no message');
    const { credits } = await read<{ credits: number }>(bo, '/api/me');
    const { id, status, creditsUsed } = await ask(bo, {
      conversationId: old.conversationId,
      parentId: old.id,
      content: '再写一首',
    });
    expect([status, creditsUsed]).toEqual(['completed', 8]);
    expect(await read(bo, '/api/me')).toMatchObject({ credits: credits - 8 });
    const places =
      await sql`select depth, chain_id from messages where id in (${old.id}, ${id}) order by depth`;
    expect([...places]).toEqual([
      { depth: 0, chain_id: old.id },
      { depth: 1, chain_id: old.id },
    ]);
    await expectNoDrift(sql);
  });
});
