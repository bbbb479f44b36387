import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { grantCredits } from '#server/credits/grant-credits.ts';
import { createTestApp } from '#test/app.ts';
import { ask, creditsOf, send, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { IS_LONG } from '#test/runs.ts';
import { startServer } from '#test/server-program.ts';
import { previewAct } from './admin/acts/preview-act.ts';
import { runAct } from './admin/acts/run-act.ts';
import { deleteExpiredData } from './personal-data/delete-expired-data.ts';

const HOUR = 3_600_000;

/** Has Node begin with a clock that is so many hours off. */
function offBy(hours: number): string {
  const script = `const Real=Date,now=Date.now,off=${hours * HOUR};
    globalThis.Date=class extends Real{constructor(...a){if(a.length===0)super(now()+off);else super(...a)}static now(){return now()+off}}`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

test.runIf(IS_LONG).concurrent.each([24, -24])(
  'a server whose host’s clock is %d hours off ends no credits early or late, closes holds as ever, and tells the operator',
  async (hours) => {
    const home = await createTestApp();
    const { sql } = home.database.database;
    const user = await home.signedIn();
    const grant = (sourceKey: string, fromNow: number) =>
      grantCredits(sql, {
        userId: user.userId,
        kind: 'adjustment',
        reason: 'goodwill',
        sourceKey,
        amount: 60,
        startsAt: new Date(Date.now() - 48 * HOUR),
        expiresAt: new Date(Date.now() + fromNow),
        at: null,
      });
    await grant('ends tonight', 12 * HOUR);
    await grant('ended this morning', -12 * HOUR);
    const server = await startServer(home, { NODE_OPTIONS: offBy(hours) });
    const there = server.at(user);
    const hoursAhead = async () => {
      const metrics = await (await there.get('/metrics')).text();
      return Math.round(Number(/^parley_clock_ahead_seconds (\S+)$/m.exec(metrics)?.[1]) / 3_600);
    };
    // A gauge that was not read in two seconds shows its last value.
    await expect.poll(hoursAhead).toBe(hours);
    expect(await creditsOf(there)).toBe(100);
    expect(await ask(there)).toMatchObject({ status: 'completed', creditsUsed: 8 });
    expect(await creditsOf(there)).toBe(92);
    const [spent] = await sql`
      select available from credit.bucket where user_id = ${user.userId} and source_key = 'ends tonight'`;
    expect(spent).toEqual({ available: 52 });
    const { id } = await send(there, { content: '/emulate never-ends' });
    const [row] = await sql`
      select abs(extract(epoch from now() - created_at)) < 600 as now, status from messages where id = ${id}`;
    expect(row).toEqual({ now: true, status: 'running' });
    server.program.process.kill('SIGKILL');
    expect(await waitForEnd(user, id)).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
    expect(await creditsOf(user)).toBe(92);
    await expectNoDrift(sql);
    await home.close();
  },
);

test('a host whose clock is two days fast does not begin the free messages of a day anew', async () => {
  const app = await createTestApp();
  const { sql } = app.database.database;
  const { userId } = await app.signedIn();
  await sql`
    insert into free_messages (user_id, day, ended_by_user, uncharged)
    values (${userId}, (now() at time zone 'UTC')::date, 3, 5)`;
  const clock = { now: () => new Date(Date.now() + 48 * HOUR), databaseTime: () => null };
  await deleteExpiredData({ database: app.deps.database, clock });
  expect(await sql`select uncharged from free_messages where user_id = ${userId}`).toEqual([
    { uncharged: 5 },
  ]);
  await app.close();
});

test.each([48, -48])(
  'what an operator gives for a day counts at once and ends after a day, where the host’s clock is %d hours off',
  async (hours) => {
    const app = await createTestApp();
    const { sql } = app.database.database;
    const { userId } = await app.signedIn();
    const clock = { now: () => new Date(Date.now() + hours * HOUR), databaseTime: () => null };
    const act = { act: 'grant', userId, credits: 60, days: 1 } as const;
    const by = { name: 'ann', operatorId: null, agreedBy: null };
    const deps = { ...app.deps, clock };
    await runAct(deps, { id: randomUUID(), reason: 'because', act, by });
    const given = await sql`
      select available, round(extract(epoch from expires_at - now()) / 3600)::int as hours from credit.bucket
       where user_id = ${userId} and kind = 'adjustment'`;
    expect(given).toEqual([{ available: 60, hours: 24 }]);
    const operator = { userId: randomUUID(), sessionId: randomUUID(), email: 'ann@example.test' };
    const { effects } = await previewAct(deps, operator, act);
    expect(effects).toEqual([{ what: 'balance', before: 100, after: 160 }]);
    await app.close();
  },
);
