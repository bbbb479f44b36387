import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import type { Actor } from './authenticate.ts';
import { publishSignedOut } from './live-sessions.ts';
import { watchSessions } from './watch-sessions.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** The watch on its own, and what makes it ask the database at once. */
function startWatch() {
  const checks: (() => void)[] = [];
  const bus = { ...app.deps.bus, onGap: (check: () => void) => void checks.push(check) };
  const watch = watchSessions({ ...app.deps, bus });
  return { watch, check: () => checks[0]?.() };
}

async function someActor(): Promise<Actor> {
  const { userId, sessionId } = await app.signedIn();
  return { userId, sessionId };
}

it('a stream that opens while the sessions of others are being checked goes on', async () => {
  const { sql } = app.database.database;
  const { watch, check } = startWatch();
  const [gone, fresh] = [await someActor(), await someActor()];
  const ended: string[] = [];
  const follow = (actor: Actor) => watch.follow(actor, () => ended.push(actor.sessionId));
  follow(gone);
  await sql`delete from sessions where id = ${gone.sessionId}`;
  await sql.begin(async (tx) => {
    await tx`lock table sessions in access exclusive mode`;
    check();
    const waiting = () => tx`select from pg_locks where relation = 'sessions'::regclass and not granted`;
    await expect.poll(async () => (await waiting()).count).toBe(1);
    follow(fresh);
  });
  await expect.poll(() => ended).toContain(gone.sessionId);
  expect(ended).toEqual([gone.sessionId]);
});

it('whether somebody ended a session or it ran out is told apart', async () => {
  const { watch, check } = startWatch();
  const [left, old] = [await someActor(), await someActor()];
  const ended: [string, boolean][] = [];
  for (const actor of [left, old]) watch.follow(actor, (isTold) => ended.push([actor.sessionId, isTold]));
  publishSignedOut(app.deps.bus, left.userId, left.sessionId);
  await expect.poll(() => ended).toEqual([[left.sessionId, true]]);
  await app.database.database.sql`delete from sessions where id = ${old.sessionId}`;
  check();
  await expect.poll(() => ended[1]).toEqual([old.sessionId, false]);
});
