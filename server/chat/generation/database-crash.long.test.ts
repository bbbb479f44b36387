import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { apiUser } from '#test/api.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { send } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { copyCluster } from '#test/database/copied-cluster.ts';
import { openEvents } from '#test/events.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;
let home: TestApp;
let app: TestApp;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-crashed-'));
  copyCluster(dataDir);
  postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(postgres.url);
  home = await createTestApp();
  const database = { ...home.database, url: postgres.url, database: openDatabase(postgres.url) };
  app = await createTestApp({ beside: { ...home, database } });
});
afterEach(async () => {
  await app.database.database.close();
  // Its PostgreSQL came back elsewhere, so it cannot take its leave.
  await app.close().catch(() => {});
  await home.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true });
});

/** Kills PostgreSQL with all that it has in memory only, starts it again, and says what it knows of a message. */
async function crashAndRead(messageId: string) {
  process.kill(postgres.pid, 'SIGKILL');
  await postgres.died;
  postgres = await startEmbeddedPostgres({ dataDir });
  const database = openDatabase(postgres.url);
  await expectNoDrift(database.sql);
  const [row] = await database.sql`
    select m.status, h.state from messages m join credit.hold h on h.user_id = m.user_id and h.id = m.id
     where m.id = ${messageId}`;
  await database.close();
  return row;
}

test('a message that was accepted is there after a crash of PostgreSQL, and its credits are held', async () => {
  const user = await app.signedIn();
  const { id } = await send(user, { content: '/emulate never-ends' });
  expect(await crashAndRead(id)).toEqual({ status: 'running', state: 'held' });
});

test('an API request whose answer has begun to be told is there after a crash of PostgreSQL', async () => {
  const { client } = await apiUser(app);
  const messages = [{ role: 'user' as const, content: '/emulate never-ends' }];
  const stream = await client.chat.completions.create({
    model: 'gemini-2.5-flash-lite',
    messages,
    stream: true,
  });
  for await (const { id } of stream) {
    expect(await crashAndRead(id.replace(/^chatcmpl-/, ''))).toEqual({ status: 'running', state: 'held' });
    break;
  }
});

test('an answer whose end was told is complete and paid after a crash of PostgreSQL', async () => {
  const user = await app.signedIn();
  const { id } = await send(user);
  const events = await openEvents(user, `/api/messages/${id}/events`);
  await events.next(({ event }) => event === 'end');
  expect(await crashAndRead(id)).toEqual({ status: 'completed', state: 'settled' });
});
