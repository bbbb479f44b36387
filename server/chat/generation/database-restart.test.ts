import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { creditsOf, draft, endOf, refusal, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { IS_LONG } from '#test/runs.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;
/** A folder that stays the same while PostgreSQL gets another socket with each start. */
let address: string;
let home: TestApp;
let app: TestApp;

async function start() {
  postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  const next = `${address}.next`;
  symlinkSync(new URL(postgres.url).searchParams.get('host') ?? '', next);
  renameSync(next, address);
}

async function kill() {
  process.kill(postgres.pid, 'SIGKILL');
  await postgres.died;
}

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-restarted-'));
  address = join(dataDir, 'socket');
  await start();
  const url = `postgres://parley@localhost/parley?host=${encodeURIComponent(address)}`;
  await migrate(url);
  home = await createTestApp();
  app = await createTestApp({
    beside: { ...home, database: { ...home.database, url, database: openDatabase(url) } },
  });
});
afterEach(async () => {
  await expectNoDrift(app.database.database.sql);
  await app.close();
  await app.database.database.close();
  await home.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true });
});

async function countAsked(): Promise<number> {
  return (await home.gemini.requests()).filter(({ path }) => path.includes('streamGenerateContent')).length;
}

test.runIf(IS_LONG)(
  'while PostgreSQL is killed a message is refused with 503 and no model is asked; sent again afterwards it is paid once',
  async () => {
    const user = await app.signedIn();
    const one = draft();
    await kill();
    const refused = await user.post('/api/messages', one);
    expect(await refusal(refused)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await countAsked()).toBe(0);
    await start();
    await expect.poll(async () => (await user.post('/api/messages', one)).status).toBeLessThan(300);
    expect(await waitForEnd(user, one.id)).toMatchObject({ status: 'completed', creditsUsed: 8 });
    expect(await countAsked()).toBe(1);
    expect(await creditsOf(user)).toBe(32);
  },
);

test.runIf(IS_LONG)(
  'an answer goes on from memory while PostgreSQL is killed, and is stored and paid once when it is back',
  async () => {
    await home.gemini.pace({ ttftMs: 2, gapMs: 1, jitter: 0 });
    const user = await app.signedIn();
    const { id } = await send(user, { content: '/emulate long-answer characters=2000' });
    const events = await openEvents(user, `/api/messages/${id}/events`);
    await events.next(({ event }) => event === 'text');
    await kill();
    const before = events.received.length;
    await events.next((event) => (event.id ?? 0) > before);
    await expect.poll(() => app.deps.generation.find(id)?.isClosing).toBe(true);
    expect(events.received.some(({ event }) => event === 'end')).toBe(false);
    await start();
    await events.ended;
    expect(endOf(events.received)).toMatchObject({ status: 'completed', creditsUsed: 8 });
    expect(endOf(events.received).response).toBe(textOf(events.received));
    expect(await countAsked()).toBe(1);
    expect(await creditsOf(user)).toBe(32);
  },
);
