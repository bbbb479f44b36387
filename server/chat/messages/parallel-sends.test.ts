import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/app.ts';
import { ask, creditsOf, draft, refusal, send, waitForEnd } from '#test/chat/chat.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';
import { POSTGRES_VERSIONS } from '#test/runs.ts';

/** How often a model was asked for an answer. */
async function countAsked({ gemini }: TestApp): Promise<number> {
  return (await gemini.requests()).filter(({ path }) => path.includes('streamGenerateContent')).length;
}

test.each(POSTGRES_VERSIONS)(
  'of 500 parallel sends on 40 credits at cost 8, on PostgreSQL %d, exactly 5 are held',
  async (version) => {
    const app = await createTestApp({ version });
    const user = await app.signedIn();
    const drafts = Array.from({ length: 500 }, () => draft());
    const responses = await Promise.all(drafts.map((one) => user.post('/api/messages', one)));
    const counts = new Map<number, number>();
    for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ 201: 5, 402: 495 });
    const sent = drafts.filter((_, index) => responses[index]?.status === 201);
    const ended = await Promise.all(sent.map(({ id }) => waitForEnd(user, id)));
    expect(ended.map(({ status, creditsUsed }) => [status, creditsUsed])).toEqual(
      Array(5).fill(['completed', 8]),
    );
    expect(await creditsOf(user)).toBe(0);
    expect(await countAsked(app)).toBe(5);
    expect(app.deps.generation.size).toBe(0);
    const { sql } = app.database.database;
    const [held] =
      await sql`select count(*)::int as all, count(*) filter (where state = 'settled')::int as settled
                               from credit.hold`;
    expect(held).toEqual({ all: 5, settled: 5 });
    await expectNoDrift(sql);
    await app.close();
  },
);

test('of two tabs that send at the same moment on credits for one message, one is answered and the other is told what it lacks', async () => {
  const app = await createTestApp();
  const user = await app.signedIn();
  for (let left = 4; left > 0; left -= 1) await ask(user);
  const other = app.visit({ cookie: await app.cookieOf(user.userId) });
  const drafts = [draft(), draft()];
  const [one, two] = await Promise.all([user, other].map((tab, n) => tab.post('/api/messages', drafts[n])));
  const statuses = [one?.status, two?.status];
  expect([...statuses].sort()).toEqual([201, 402]);
  const refused = statuses[0] === 402 ? one : two;
  expect(await refusal(refused as Response)).toMatchObject({
    code: 'insufficient_credits',
    params: { needed: 8, balance: 0 },
  });
  const sent = drafts[statuses.indexOf(201)]?.id ?? '';
  expect(await waitForEnd(user, sent)).toMatchObject({ status: 'completed', creditsUsed: 8 });
  expect(await creditsOf(user)).toBe(0);
  expect(await countAsked(app)).toBe(5);
  await expectNoDrift(app.database.database.sql);
  await app.close();
});

test('while the credits of one user are locked others send as ever, and that user’s model is asked and paid once, afterwards', async () => {
  const app = await createTestApp();
  const locked = await app.signedIn();
  const others = await Promise.all(Array.from({ length: 8 }, () => app.signedIn()));
  const { sql } = app.database.database;
  const taken = Promise.withResolvers<void>();
  const freed = Promise.withResolvers<void>();
  const holding = sql.begin(async (transaction) => {
    await transaction`select from credit.account where user_id = ${locked.userId} for update`;
    taken.resolve();
    await freed.promise;
  });
  await taken.promise;
  const waiting = send(locked);
  const ended = await Promise.all(others.map((user) => ask(user)));
  expect(ended.map(({ status }) => status)).toEqual(Array(8).fill('completed'));
  expect(await Promise.race([waiting, 'still waiting'])).toBe('still waiting');
  expect(await countAsked(app)).toBe(8);
  freed.resolve();
  await holding;
  expect(await waitForEnd(locked, (await waiting).id)).toMatchObject({ status: 'completed' });
  expect(await creditsOf(locked)).toBe(32);
  expect(await countAsked(app)).toBe(9);
  await expectNoDrift(sql);
  await app.close();
});
