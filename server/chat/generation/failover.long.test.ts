import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase, Uncommitted } from '#server/platform/database/database.ts';
import { isConnectionLost } from '#server/platform/database/database-errors.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, endOf, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import type { TestClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { copyCluster } from '#test/database/copied-cluster.ts';
import { type PostgresProxy, startPostgresProxy } from '#test/database/postgres-proxy.ts';
import { type Standby, startStandby } from '#test/database/standby.ts';
import { openEvents } from '#test/events.ts';
import { timeoutFor } from '#test/runs.ts';

const ANSWERS = 300;
const GRANTED = 2_000;
const WORK = { ttftMs: 50, tokens: 120, gapMs: 50, text: 'word ' };

let dataDir: string;
let primary: EmbeddedPostgres;
let standby: Standby;
let address: PostgresProxy;
let home: TestApp;
let app: TestApp;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-primary-'));
  copyCluster(dataDir);
  primary = await startEmbeddedPostgres({ dataDir });
  await migrate(primary.url);
  standby = await startStandby(primary);
  address = await startPostgresProxy(primary.url, { tcp: true });
  home = await createTestApp();
  const database = { ...home.database, url: address.url, database: openDatabase(address.url) };
  app = await createTestApp({ beside: { ...home, database } });
});
afterAll(async () => {
  await app.database.database.close();
  await app.close();
  await home.close();
  address.close();
  await standby.stop();
  await primary.stop();
  rmSync(dataDir, { recursive: true });
});

/** Sends one message after the other while `goesOn`, until one is accepted; returns when each was, and how many were not. */
async function keepSending(client: TestClient, goesOn: () => boolean) {
  const accepted: number[] = [];
  let refused = 0;
  while (goesOn() || accepted.length === 0) {
    const { id, ...message } = draft();
    const response = await client.post('/api/messages', { id, ...message }).catch(() => null);
    if (response?.status === 201) {
      accepted.push(performance.now());
      await waitForEnd(client, id);
    } else {
      expect([503, 504]).toContain(response?.status);
      refused += 1;
    }
  }
  return { accepted, refused };
}

test('while the address leads to a standby that is not promoted, a message is refused with 503 and costs nothing', async () => {
  const user = await app.signedIn();
  const lead = (url: string) => {
    address.down();
    address.leadTo(url);
    address.up();
  };
  lead(standby.url);
  const refused = await user.post('/api/messages', draft());
  const early = openDatabase(standby.url);
  await expect(early.flush(new Uncommitted(null))).rejects.toSatisfy(isConnectionLost);
  await early.close();
  lead(primary.url);
  expect(refused.status).toBe(503);
  expect(await ask(user)).toMatchObject({ status: 'completed' });
  expect(await creditsOf(user)).toBe(32);
});

test(
  `where the primary is killed and its standby takes over, ${ANSWERS} running answers are told, kept and paid as without`,
  async () => {
    await app.gemini.work(WORK);
    const users = await Promise.all(Array.from({ length: ANSWERS }, () => app.signedIn()));
    const sender = await app.signedIn();
    await app.database.database.sql`
      select credit.grant_credits(${sender.userId}, 'adjustment', 'failover', null, null, ${GRANTED}, now(),
        now() + interval '1 day', 'adjustment', null)`;
    const streams = await Promise.all(
      users.map(async (user) => {
        const { id } = await send(user);
        return openEvents(user, `/api/messages/${id}/events`);
      }),
    );
    await Promise.all(streams.map((stream) => stream.next(({ event }) => event === 'text')));
    let isOver = false;
    const sending = keepSending(sender, () => !isOver);

    process.kill(primary.pid, 'SIGKILL');
    const killedAt = performance.now();
    address.down();
    await primary.died;
    await standby.promote();
    address.leadTo(standby.url);
    address.up();

    await Promise.all(streams.map((stream) => stream.ended));
    for (const { received } of streams) {
      expect(textOf(received)).toBe(WORK.text.repeat(WORK.tokens));
      expect(endOf(received)).toMatchObject({ status: 'completed', creditsUsed: 8 });
    }
    isOver = true;
    const { accepted, refused } = await sending;
    const { sql } = app.database.database;
    const ids = [...users, sender].map(({ userId }) => userId);
    expect(
      await sql`select status, count(*)::int from messages where user_id = any(${ids}) group by status`,
    ).toEqual([{ status: 'completed', count: ANSWERS + accepted.length }]);
    expect(await sql`select * from credit.drift`).toEqual([]);
    for (const user of users) expect(await creditsOf(user)).toBe(32);
    expect(await creditsOf(sender)).toBe(40 + GRANTED - 8 * accepted.length);
    await expectNoDrift(sql, sender.userId);
    const [next = Number.NaN] = accepted;
    process.stdout.write(
      `failover under ${ANSWERS} answers: ${accepted.length} messages accepted, ${refused} refused, the first accepted ${((next - killedAt) / 1_000).toFixed(1)} s after the kill\n`,
    );
  },
  timeoutFor(120_000),
);
