import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { deleteOldConversations } from '#server/chat/conversations/delete-old-conversations.ts';
import {
  actOn,
  type ComputerApp,
  createComputerApp,
  partsOf,
  readTask,
  sendTask,
  stateOf,
  waitForTask,
  waitingIn,
} from '#test/computer/computer.ts';
import { callOf } from '#test/computer/played-model.ts';
import { expectNoDrift, later } from '#test/credits/ledger.ts';
import { openEvents } from '#test/events.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { IS_LONG } from '#test/runs.ts';

const MINUTE = 60_000;
const FAILURES_PER_DAY = 2;

let app: ComputerApp;
let clock: FakeClock;
/** How far the process's own time was moved, in milliseconds: of the length of things, not of the day. */
let moved = 0;
beforeAll(async () => {
  clock = new FakeClock();
  app = await createComputerApp({
    clock,
    env: { UNANSWERED_LIMIT: String(FAILURES_PER_DAY), COMPUTER_RUNS: '1' },
  });
});
beforeEach(() => {
  const { now } = performance;
  moved = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + moved);
  app.reset();
  app.host.play(() => ({ jpeg: null }));
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => app.close());

const click = (x: number) => callOf('click', { x, y: 1 }, `click-${x}`);

async function expectLedger(user: { userId: string; get(path: string): Promise<Response> }, credits: number) {
  await expect
    .poll(async () => ((await (await user.get('/api/me')).json()) as { credits: number }).credits)
    .toBe(credits);
  const open = await app.database.database
    .sql`select from credit.hold where user_id = ${user.userId} and state = 'held'`;
  expect(open).toHaveLength(0);
  await expectNoDrift(app.database.database.sql, user.userId);
}

test('a run takes no step after five minutes of its own, and says what it found', async () => {
  const user = await app.pro();
  app.host.play(({ args }) => {
    if (args.x === 2) moved = 5 * MINUTE + 1_000;
    return { jpeg: null };
  });
  app.model.play([click(1)], [click(2), click(3)], [{ text: 'So far.' }]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(message).toMatchObject({ status: 'completed', response: 'So far.', creditsUsed: 15 });
  expect(partsOf(message, 'step')).toHaveLength(2);
  const told = JSON.stringify(app.model.asked.at(-1)?.body.contents.at(-1));
  expect(told).toContain('No more actions are allowed');
  await expectLedger(user, 25);
});

test('a model whose time ends in its last act is told so, and says what it found', async () => {
  const user = await app.pro();
  app.host.play(() => {
    moved = 5 * MINUTE + 1_000;
    return { jpeg: null };
  });
  app.model.play([click(1)], [click(2)], [{ text: 'So far.' }]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(message).toMatchObject({ status: 'completed', response: 'So far.', creditsUsed: 15 });
  expect(partsOf(message, 'step')).toHaveLength(1);
  expect(JSON.stringify(app.model.asked.at(-1)?.body.contents.at(-1))).toContain('No more actions');
  await expectLedger(user, 25);
});

test('a model that goes on acting after it was told that it may not is not asked again', async () => {
  const user = await app.pro();
  app.host.play(() => {
    moved = 5 * MINUTE + 1_000;
    return { jpeg: null };
  });
  app.model.play([click(1)], [click(2)], [click(3)], [click(4)]);
  const message = await waitForTask(user, (await sendTask(user)).id);
  expect(message).toMatchObject({ status: 'completed', creditsUsed: 15 });
  expect(partsOf(message, 'step')).toHaveLength(1);
  expect(app.model.asked).toHaveLength(3);
  await expectLedger(user, 25);
});

test('time in which a run waits for its user is not its own', async () => {
  const user = await app.pro();
  app.host.play(({ args }) => ({ jpeg: null, ...(args.x === 1 ? { ask: {} } : {}) }));
  app.model.play([click(1)], [click(2)]);
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  moved = 9 * MINUTE;
  await actOn(user, id, { act: 'allow', confirmationId });
  expect(partsOf(await waitForTask(user, id), 'step')).toHaveLength(2);
  await expectLedger(user, 25);
});

test('a question waits ten minutes and no longer; what was begun is paid for, and no more', async () => {
  const user = await app.pro();
  app.host.play(({ args }) => ({ jpeg: null, ...(args.x === 2 ? { ask: {} } : {}) }));
  app.model.play([click(1)], [click(2)]);
  const { id } = await sendTask(user);
  const asked = await waitingIn(app, id);
  clock.moveTo(clock.now().getTime() + 9.5 * MINUTE);
  expect(await stateOf(user, id)).toMatchObject({ state: 'waiting' });
  expect((await readTask(user, id)).status).toBe('running');
  clock.moveTo(clock.now().getTime() + 0.6 * MINUTE);
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'stopped', creditsUsed: 15 });
  expect(partsOf(message, 'confirmation')).toMatchObject([{ id: asked.id, state: 'expired' }]);
  expect((await actOn(user, id, { act: 'allow', confirmationId: asked.id })).code).toBe(
    'confirmation_answered',
  );
  expect(app.host.open.size).toBe(0);
  await expectLedger(user, 25);
});

test('a question about the first step that nobody answers is free', async () => {
  const user = await app.pro();
  app.host.play(() => ({ jpeg: null, ask: {} }));
  app.model.play([click(1)]);
  const { id } = await sendTask(user);
  await waitingIn(app, id);
  clock.moveTo(clock.now().getTime() + 11 * MINUTE);
  expect(await waitForTask(user, id)).toMatchObject({ status: 'stopped', creditsUsed: 0 });
  await expectLedger(user, 40);
});

test('a run waits for its user for fifty minutes in all, then it ends with what was begun paid for', async () => {
  const user = await app.pro();
  app.host.play(({ args }) => ({ jpeg: null, ...(args.x === 1 ? {} : { ask: {} }) }));
  app.model.play([click(1)], [click(2)], [click(3)]);
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  moved = 51 * MINUTE;
  await actOn(user, id, { act: 'allow', confirmationId });
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'stopped', creditsUsed: 15 });
  expect(partsOf(message, 'confirmation')).toMatchObject([{ state: 'allowed' }]);
  await expectLedger(user, 25);
});

test('while others wait for a browser, a run waits for its user for ten minutes in all', async () => {
  const [user, other] = [await app.pro(), await app.pro()];
  app.host.play(({ args }) => ({ jpeg: null, ...(args.x === 1 ? {} : { ask: {} }) }));
  app.model.play([click(1)], [click(2)]);
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  app.model.play([click(3)], [click(1)], [{ text: 'Done.' }]);
  const { id: next } = await sendTask(other);
  await expect.poll(() => stateOf(other, next)).toMatchObject({ state: 'queued', place: 1 });
  moved = 11 * MINUTE;
  await actOn(user, id, { act: 'allow', confirmationId });
  expect(await waitForTask(user, id)).toMatchObject({ status: 'stopped', creditsUsed: 15 });
  expect(await waitForTask(other, next)).toMatchObject({ status: 'completed' });
  await expectLedger(user, 25);
});

test('who reloads in the middle of a question finds it as it is, and answers it', async () => {
  const user = await app.pro();
  app.host.play(() => ({ jpeg: null, ask: {} }));
  app.model.play([click(1)]);
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  for (const state of ['waiting', 'waiting', 'denied'] as const) {
    const events = await openEvents(user, `/api/messages/${id}/events`);
    const isAsked = ({ event, data }: { event: string; data: Record<string, unknown> }) =>
      event === 'part' && (data.part as { state?: string }).state === state;
    if (state === 'denied') await actOn(user, id, { act: 'deny', confirmationId });
    expect((await events.next(isAsked)).data.part).toMatchObject({ id: confirmationId, reason: 'new_site' });
    events.close();
  }
  expect(await waitForTask(user, id)).toMatchObject({ status: 'completed', creditsUsed: 0 });
  await expectLedger(user, 40);
});

test.runIf(IS_LONG)(
  'a conversation that is deleted while its browser asks ends the run; steps, pictures and questions go with it',
  async () => {
    const user = await app.pro();
    const { sql } = app.database.database;
    app.host.play(({ args }) => (args.x === 1 ? {} : { ask: {} }));
    app.model.play([click(1)], [click(2)]);
    const { id, conversationId } = await sendTask(user);
    await waitingIn(app, id);
    const filesOf = () => sql`select from files where user_id = ${user.userId}`;
    expect(await filesOf()).toHaveLength(1);
    await user.request(`/api/conversations/${conversationId}`, { method: 'DELETE' });
    const read = async () => [...(await sql`select status, credits_used from messages where id = ${id}`)];
    await expect.poll(read).toEqual([{ status: 'stopped', credits_used: 15 }]);
    expect(await sql`select from computer_runs where user_id = ${user.userId}`).toHaveLength(0);
    await expectLedger(user, 25);
    clock.moveTo(clock.now().getTime() + 60 * MINUTE);
    await deleteOldConversations(app.deps);
    expect(await read()).toEqual([]);
    expect(await filesOf()).toHaveLength(0);
    expect(await sql`select from computer_confirmations where user_id = ${user.userId}`).toHaveLength(0);
  },
);

test('browsers that fail once something was tried are free, and so many a day', async () => {
  const user = await app.pro();
  app.host.play(({ args, runId }) => {
    if (args.x === 1) return { jpeg: null };
    setTimeout(() => app.host.loseBrowser(runId));
    return 'never';
  });
  for (let n = 0; n < FAILURES_PER_DAY; n += 1) {
    if (n % 2 === 0) app.model.play([click(1)], [click(2)]);
    else app.model.play([click(2)]);
    expect(await waitForTask(user, (await sendTask(user)).id)).toMatchObject({
      ...{ status: 'failed', creditsUsed: 0, error: { code: 'browser_failed' } },
    });
  }
  const refused = await user.post('/api/messages', {
    ...{ id: crypto.randomUUID(), conversationId: crypto.randomUUID(), parentId: null },
    ...{ model: 'gemini-computer-use', content: 'Once more' },
  });
  expect(refused.status).toBe(429);
  expect(((await refused.json()) as { error: { code: string } }).error.code).toBe('too_many_unanswered');
  await expectLedger(user, 40);
});

test('a run takes thirty steps and no more, each ten of them paid for', async () => {
  const user = await app.pro();
  const { sql } = app.database.database;
  await sql`
    select credit.grant_credits(${user.userId}, 'adjustment', ${crypto.randomUUID()}, null, null, 20, null, ${later(clock.now(), 30)}, 'gift', ${clock.now()})`;
  app.model.play(
    Array.from({ length: 16 }, (_, n) => click(n + 1)),
    Array.from({ length: 15 }, (_, n) => click(n + 17)),
    [{ text: 'So far.' }],
  );
  const { id } = await sendTask(user, { options: { computer: { steps: 30 } } });
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'completed', response: 'So far.', creditsUsed: 45 });
  expect(partsOf(message, 'step')).toHaveLength(30);
  const told = app.model.asked.at(-1)?.body.contents.at(-1)?.parts ?? [];
  expect(told.filter((part) => JSON.stringify(part).includes('No more actions'))).toHaveLength(1);
  await expectLedger(user, 15);
});

test('a run that is told more than a thousand secrets ends, with what was begun paid for', async () => {
  const user = await app.pro();
  let last = 5;
  app.host.play(({ args }) => {
    const n = Number(args.x);
    const told = Array.from({ length: n > 5 ? 1 : 200 }, (_, at) => `secret ${n} ${at}`);
    return { jpeg: null, secrets: n > last ? [] : told };
  });
  const run = async () => {
    app.model.play(...[1, 2, 3, 4, 5, 6].map((n) => [click(n)]), [{ text: 'So far.' }]);
    return waitForTask(user, (await sendTask(user)).id);
  };
  expect(await run()).toMatchObject({ status: 'completed', response: 'So far.', creditsUsed: 15 });
  last = 6;
  const ended = await run();
  expect(ended).toMatchObject({ status: 'stopped', creditsUsed: 15 });
  expect(partsOf(ended, 'step')).toHaveLength(5);
  expect(app.host.open.size).toBe(0);
  await expectLedger(user, 10);
});

test('a user who still has the browser ten minutes after the answer gets that whole, and pays its price', async () => {
  const user = await app.pro();
  const think = Promise.withResolvers<void>();
  app.model.play([click(1)], { after: think.promise, parts: [{ text: 'All found.' }] });
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  await actOn(user, id, { act: 'takeover' });
  think.resolve();
  await expect.poll(async () => (await stateOf(user, id)).until).not.toBeNull();
  moved = 10 * MINUTE + 1_000;
  expect(await waitForTask(user, id)).toMatchObject({
    status: 'completed',
    response: 'All found.',
    creditsUsed: 15,
  });
  await expectLedger(user, 25);
});
