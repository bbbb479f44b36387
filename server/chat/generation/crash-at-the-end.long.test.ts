import { expect, test } from 'vitest';
import { createTestApp } from '#test/app.ts';
import { ask, creditsOf, draft, endOf, textOf, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { startPostgresProxy } from '#test/database/postgres-proxy.ts';
import { openEvents, readEvents } from '#test/events.ts';
import { startServer } from '#test/server-program.ts';

/** Of the statement that ends a message; `send_message(` has these letters too. */
const END = ' end_message(';

/** A server in a process of its own whose way to PostgreSQL can be broken, and a process that outlives it. */
async function openWorld() {
  const home = await createTestApp();
  await home.gemini.pace({ ttftMs: 2, gapMs: 1, jitter: 0 });
  const proxy = await startPostgresProxy(home.database.url);
  const server = await startServer(home, { DATABASE_URL: proxy.url, SHUTDOWN_DEADLINE_MS: '500' });
  const user = await home.signedIn();
  const { sql } = home.database.database;
  return {
    home,
    proxy,
    user,
    there: server.at(user),
    async kill(signal: NodeJS.Signals) {
      server.program.process.kill(signal);
      return server.program.ended;
    },
    /** How often a model was asked for an answer, and how often it was broken off. */
    async asked() {
      const requests = (await home.gemini.requests()).filter(({ path }) => path.includes('streamGenerate'));
      return { times: requests.length, brokenOff: requests.filter(({ aborted }) => aborted).length };
    },
    stateOf: async (id: string) => (await sql`select state from credit.hold where id = ${id}`)[0]?.state,
    async close() {
      await expectNoDrift(sql);
      proxy.close();
      await home.close();
    },
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * Sends and follows a message until its end, or PostgreSQL's answer to that, is kept back. In one request: the connection that an end is
 * kept on is asked for sessions too.
 */
async function sendUntilEnd({ proxy, there }: World, what: 'statement' | 'answer') {
  const kept = proxy.keepBack(what, END);
  const body = draft();
  const events = await openEvents(there, '/api/messages', { body });
  await kept;
  return { id: body.id, events };
}

test.concurrent('a server killed with a whole answer whose end PostgreSQL never heard of charges nothing, and the next try is paid', async () => {
  const world = await openWorld();
  const { user } = world;
  const { id, events } = await sendUntilEnd(world, 'statement');
  expect(await world.asked()).toEqual({ times: 1, brokenOff: 0 });
  await world.kill('SIGKILL');
  await events.ended;
  expect(events.received.some(({ event }) => event === 'end')).toBe(false);
  const ended = await waitForEnd(user, id);
  expect(ended).toMatchObject({ status: 'interrupted', creditsUsed: 0, error: { code: 'interrupted' } });
  expect(await world.stateOf(id)).toBe('released');
  expect(await creditsOf(user)).toBe(40);
  const { conversationId, parentId } = ended;
  expect(await ask(user, { conversationId, parentId })).toMatchObject({ status: 'completed' });
  expect(await creditsOf(user)).toBe(32);
  await world.close();
});

test.concurrent('a server killed after the end was committed and before anybody heard of it leaves the whole answer, paid once', async () => {
  const world = await openWorld();
  const { user } = world;
  const { id, events } = await sendUntilEnd(world, 'answer');
  await world.kill('SIGKILL');
  await events.ended;
  expect(events.received.some(({ event }) => event === 'end')).toBe(false);
  const replayed = await readEvents(user, `/api/messages/${id}/events`);
  const ended = endOf(replayed);
  expect(ended).toMatchObject({ status: 'completed', creditsUsed: 8, error: null });
  expect(textOf(replayed)).toBe(ended.response);
  expect(ended.response.startsWith(textOf(events.received))).toBe(true);
  const rest = await readEvents(user, `/api/messages/${id}/events`, {
    after: events.received.at(-1)?.id ?? 0,
  });
  expect(textOf([...events.received, ...rest])).toBe(ended.response);
  expect(await world.stateOf(id)).toBe('settled');
  expect(await world.asked()).toEqual({ times: 1, brokenOff: 0 });
  expect(await creditsOf(user)).toBe(32);
  await world.close();
});

test.concurrent('a server that stops while the database is away charges nothing for the answer that it could not store', async () => {
  const world = await openWorld();
  const { user } = world;
  const { id, events } = await sendUntilEnd(world, 'statement');
  world.proxy.down();
  await world.kill('SIGTERM');
  await events.ended;
  expect(await waitForEnd(user, id)).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
  expect(await world.stateOf(id)).toBe('released');
  expect(await creditsOf(user)).toBe(40);
  await world.close();
});
