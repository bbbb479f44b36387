import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '#contract/chat.ts';
import { migrate } from '#server/db/migrate.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, send, waitForEnd } from '#test/chat/chat.ts';
import { createClient } from '#test/client.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import type { TestDatabase } from '#test/database/database.ts';
import { hashTables } from '#test/database/hash-tables.ts';
import { createEmptyDatabase } from '#test/database/old-database.ts';
import { openEvents } from '#test/events.ts';
import { insertUser } from '#test/factories.ts';
import { IS_LONG, POSTGRES_VERSIONS } from '#test/runs.ts';
import { startServer } from '#test/server-program.ts';
import { moveDatabase } from './move-database.ts';

let home: TestApp;
beforeAll(async () => {
  home = await createTestApp({ version: 18 });
});
afterAll(() => home.close());

/** Constraints with what they say, and triggers with whether they are on. */
async function keysOf({ database }: TestDatabase): Promise<string[]> {
  const rows = await database.sql<{ text: string }[]>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated as text
      from pg_constraint where connamespace::regnamespace::text in ('public', 'credit', 'billing') and conrelid > 0
    union all
    select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal order by 1`;
  return rows.map(({ text }) => text);
}

describe('moving a database', () => {
  it.runIf(IS_LONG).each(POSTGRES_VERSIONS)(
    'takes everything to PostgreSQL %i, the text of an answer that was cut too',
    async (version) => {
      const user = await home.signedIn();
      const asked = await ask(user, { content: '猫和狗 🐈' });
      await home.gemini.pace({ ttftMs: 2, gapMs: 5, jitter: 0 });
      const server = await startServer(home);
      const { id } = await send(server.at(user), { content: '/emulate never-ends' });
      const events = await openEvents(server.at(user), `/api/messages/${id}/events`);
      await events.next((event) => event.id === 20);
      await expect
        .poll(
          async () =>
            (await home.database.database.sql`select from message_events where message_id = ${id}`).count,
        )
        .toBeGreaterThan(0);
      server.program.process.kill('SIGKILL');
      await server.program.ended;
      await home.gemini.pace();
      const target = await createEmptyDatabase({ version });
      const moved = await moveDatabase(home.database.url, target.url);
      const { sql } = target.database;
      expect(moved.find(({ table }) => table === 'messages')?.rows).toBeGreaterThan(1);
      const there = await createTestApp({
        database: target,
        env: { AUTH_SECRET: home.config.authSecret, GEMINI_BASE_URL: home.geminiUrl },
      });
      const client = createClient({ url: there.url, origin: there.url, cookie: user.cookie });
      const cut = await waitForEnd(client, id);
      expect(cut).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
      expect(cut.response).toMatch(/\S/);
      const again = (await (await client.get(`/api/messages/${asked.id}`)).json()) as Message;
      expect(again).toMatchObject({ content: '猫和狗 🐈', response: asked.response });
      expect(await ask(client)).toMatchObject({ status: 'completed' });
      await expectNoDrift(sql);
      await there.close();
    },
  );

  it.runIf(IS_LONG)(
    'copies every row and sequence, and leaves tables, keys and triggers as a migration makes them',
    async () => {
      await ask(await home.signedIn());
      await home.stop();
      const { sql } = home.database.database;
      const before = await hashTables(sql);
      const target = await createEmptyDatabase({ version: 18 });
      await moveDatabase(home.database.url, target.url);
      expect(await hashTables(target.database.sql)).toEqual(before);
      expect(await hashTables(sql)).toEqual(before);
      expect(await keysOf(target)).toEqual(await keysOf(home.database));
      const lasts = (one: Sql) => one`select sequencename, last_value from pg_sequences order by 1`;
      expect([...(await lasts(target.database.sql))]).toEqual([...(await lasts(sql))]);
      await target.drop();
    },
  );

  it.runIf(IS_LONG)(
    'leaves a database alone that has users, or other tables, and changes nothing of it',
    async () => {
      const target = await createEmptyDatabase({ version: 18 });
      await migrate(target.url);
      await target.database.sql`alter table users add column another text`;
      const before = await hashTables(target.database.sql);
      await expect(moveDatabase(home.database.url, target.url)).rejects.toThrow(
        /tables of the two are different/,
      );
      expect(await hashTables(target.database.sql)).toEqual(before);
      await target.database.sql`alter table users drop column another`;
      await insertUser(target.database.sql);
      await expect(moveDatabase(home.database.url, target.url)).rejects.toThrow(/has users already/);
      await target.drop();
    },
  );
});
