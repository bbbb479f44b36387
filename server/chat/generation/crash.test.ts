import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, endOf, send, textOf, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { openEvents, readEvents } from '#test/events.ts';
import { IS_LONG } from '#test/runs.ts';
import { startServer } from '#test/server-program.ts';

async function creditState(home: TestApp, messageId: string) {
  const [row] = await home.database.database.sql`
    select m.status, m.credits_used, h.state from messages m
      join credit.hold h on h.user_id = m.user_id and h.id = m.id where m.id = ${messageId}`;
  return row;
}

/** The number of the newest event that the log of events has. */
async function lastLogged(home: TestApp, messageId: string): Promise<number> {
  const [row] = await home.database.database.sql`
    select coalesce(max(last_seq), 0)::int as seq from message_events where message_id = ${messageId}`;
  return row?.seq;
}

/** An answer that never ends, of a server in a process of its own, and its events. */
async function startAnswer() {
  const home = await createTestApp();
  await home.gemini.pace({ ttftMs: 2, gapMs: 10, jitter: 0 });
  const user = await home.signedIn();
  const server = await startServer(home);
  const { id } = await send(server.at(user), { content: '/emulate never-ends' });
  const events = await openEvents(server.at(user), `/api/messages/${id}/events`);
  return { home, user, server, id, events };
}

const INTERRUPTED = { status: 'interrupted', credits_used: 0, state: 'released' };

test.concurrent('a server killed in the middle of an answer leaves it interrupted, its text kept, its hold released within 30 s', async () => {
  const { home, user, server, id, events } = await startAnswer();
  await events.next((event) => event.id === 20);
  await expect.poll(() => lastLogged(home, id)).toBeGreaterThanOrEqual(20);
  server.program.process.kill('SIGKILL');
  const killedAt = Date.now();
  await Promise.all([server.program.ended, events.ended]);

  const restarted = await startServer(home);
  const seen = events.received;
  const rest = await readEvents(restarted.at(user), `/api/messages/${id}/events`, { after: seen.length });
  expect(Date.now() - killedAt).toBeLessThan(30_000);
  expect(await creditState(home, id)).toEqual(INTERRUPTED);
  const costs = await home.database.database.sql`
    select kind, credits, is_estimate, unknown, cost_pico_usd > 0 as has_cost, output_tokens > 0 as has_output
      from provider_costs where message_id = ${id}`;
  const estimated = {
    kind: 'answer',
    credits: 0,
    is_estimate: true,
    unknown: [],
    has_cost: true,
    has_output: true,
  };
  expect([...costs]).toEqual([estimated]);
  const end = endOf(rest);
  expect(end).toMatchObject({ status: 'interrupted', creditsUsed: 0, error: { code: 'interrupted' } });
  expect(end.response).toMatch(/\S/);
  const shown = textOf([...seen, ...rest]);
  expect(shown.startsWith(end.response) || end.response.startsWith(shown)).toBe(true);
  const replayed = await readEvents(restarted.at(user), `/api/messages/${id}/events`);
  expect(textOf(replayed)).toBe(end.response);
  await home.gemini.pace();
  const { conversationId, parentId } = end;
  const retried = await ask(restarted.at(user), { conversationId, parentId });
  expect(retried).toMatchObject({ status: 'completed', creditsUsed: 8 });
  expect(await creditsOf(user)).toBe(32);
  restarted.program.process.kill('SIGTERM');
  expect(await restarted.program.ended).toBe(0);
  await expectNoDrift(home.database.database.sql);
  await home.close();
});

test
  .runIf(IS_LONG)
  .concurrent(
    'a server that was frozen for longer than its lease gives up its answers and charges nothing',
    async () => {
      const { home, user, server, id, events } = await startAnswer();
      await events.next((event) => event.id === 5);
      server.program.process.kill('SIGSTOP');
      const ended = await waitForEnd(user, id);
      expect(ended).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
      server.program.process.kill('SIGCONT');
      await events.ended;
      expect(endOf(events.received)).toEqual(ended);
      expect(await creditState(home, id)).toEqual(INTERRUPTED);
      expect(await waitForEnd(server.at(user), (await send(server.at(user))).id)).toMatchObject({
        status: 'completed',
      });
      server.program.process.kill('SIGTERM');
      expect(await server.program.ended).toBe(0);
      await expectNoDrift(home.database.database.sql);
      await home.close();
    },
  );

test
  .runIf(IS_LONG)
  .concurrent(
    'a server told to stop lets an answer finish, releases what does not, and exits with 0',
    async () => {
      const home = await createTestApp();
      await home.gemini.pace({ ttftMs: 2, gapMs: 4, jitter: 0 });
      const user = await home.signedIn();
      const server = await startServer(home, { SHUTDOWN_DEADLINE_MS: '4000' });
      const [finite, endless] = [
        await send(server.at(user)),
        await send(server.at(user), { content: '/emulate never-ends' }),
      ];
      const [one, other] = [
        await openEvents(server.at(user), `/api/messages/${finite.id}/events`),
        await openEvents(server.at(user), `/api/messages/${endless.id}/events`),
      ];
      await other.next(({ event }) => event === 'text');
      server.program.process.kill('SIGTERM');
      expect(await server.program.ended).toBe(0);
      await Promise.all([one.ended, other.ended]);
      expect(endOf(one.received)).toMatchObject({ status: 'completed', creditsUsed: 8 });
      expect(endOf(other.received)).toMatchObject({
        status: 'interrupted',
        response: textOf(other.received),
      });
      expect(await creditState(home, endless.id)).toEqual(INTERRUPTED);
      const rows = await home.database.database
        .sql`select id from instances where id <> ${home.deps.instanceId}`;
      expect([...rows]).toEqual([]);
      await expectNoDrift(home.database.database.sql);
      await home.close();
    },
  );
