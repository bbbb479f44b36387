import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestApp } from '#test/app.ts';
import {
  actOn,
  type ComputerApp,
  createComputerApp,
  partsOf,
  readTask,
  sendTask,
  stateOf,
  waitForState,
  waitForTask,
  waitingIn,
} from '#test/computer/computer.ts';
import { callOf, click } from '#test/computer/played-model.ts';
import { expectNoDrift } from '#test/credits/ledger.ts';

let app: ComputerApp;
let beside: TestApp;
beforeAll(async () => {
  app = await createComputerApp();
  beside = await app.openBeside();
});
beforeEach(() => {
  app.reset();
  // A process looks through each picture.
  app.host.play(() => ({ jpeg: null }));
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

const asks = (
  kind: 'new_site' | 'sensitive_field' | 'cross_site_form' = 'new_site',
  url = 'http://other.test/',
) => app.host.play(({ action }) => ({ jpeg: null, ...(action === 'click' ? { ask: { kind, url } } : {}) }));

async function balanceOf(user: { get(path: string): Promise<Response> }): Promise<number> {
  return ((await (await user.get('/api/me')).json()) as { credits: number }).credits;
}

test('what a page wants is asked, answered once from another process, and shown where it was asked', async () => {
  const user = await app.pro();
  asks();
  app.model.play([click()]);
  const { id } = await sendTask(user);
  const asked = await waitingIn(app, id);
  await waitForState(user, id, 'waiting');
  expect(partsOf(await readTask(user, id), 'confirmation')).toEqual([]);
  const elsewhere = beside.visit({ cookie: user.cookie });
  expect((await stateOf(elsewhere, id)).until).toBeGreaterThan(Date.now());
  const act = { act: 'allow', confirmationId: asked.id } as const;
  const answers = await Promise.all([actOn(elsewhere, id, act), actOn(user, id, act), actOn(user, id, act)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.code).toBe('confirmation_answered');
  const message = await waitForTask(user, id);
  expect(message.parts?.map(({ kind }) => kind)).toEqual(['confirmation', 'step', 'text']);
  expect(partsOf(message, 'confirmation')).toMatchObject([
    { id: asked.id, reason: 'new_site', state: 'allowed', params: { site: 'other.test' } },
  ]);
  expect(app.host.requests.filter(({ op }) => op === 'allow')).toMatchObject([{ site: 'other.test' }]);
});

test('the user’s own words allow the sites that they name, and no other text does', async () => {
  const user = await app.pro();
  await waitForTask(user, (await sendTask(user, { content: 'Compare shop.test with me@other.test.' })).id);
  const [open] = app.host.requests.filter((request) => request.op === 'open');
  expect(open).toMatchObject({ allowedSites: ['shop.test'], testHosts: { 'shop.test': '127.0.0.1:1' } });
});

test('what was denied is not done, and is no step', async () => {
  const user = await app.pro();
  asks('cross_site_form');
  app.model.play([click()]);
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  expect((await actOn(user, id, { act: 'deny', confirmationId })).status).toBe(200);
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'completed', creditsUsed: 0, parts: [{ state: 'denied' }, {}] });
  expect(JSON.stringify(app.model.asked.at(-1)?.body.contents.at(-1))).toContain('denied');
});

test('what is typed into a sensitive field stands in no part of the answer', async () => {
  const user = await app.pro();
  app.host.play(({ action }) =>
    action === 'type'
      ? { jpeg: null, ask: { kind: 'sensitive_field', url: 'http://shop.test/', field: 'password' } }
      : { jpeg: null },
  );
  app.model.play([callOf('navigate', { url: 'http://shop.test/' })], [callOf('type', { text: 'hunter2' })]);
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  await actOn(user, id, { act: 'allow', confirmationId });
  const message = await waitForTask(user, id);
  expect(partsOf(message, 'step').at(-1)).toMatchObject({ action: 'type', args: '{"text":"•••"}' });
  expect(JSON.stringify(message)).not.toContain('hunter2');
  const rows = await app.database.database
    .sql`select from message_events where events::text like '%hunter2%'`;
  expect(rows).toHaveLength(0);
});

test('a secret is masked however it is typed, and on a page whose address has a query', async () => {
  const user = await app.pro();
  const url = 'http://shop.test/login?next=%2F#form';
  app.host.play(({ action }) => ({ jpeg: null, url, sensitive: action === 'press_key' }));
  app.model.play(
    [callOf('navigate', { url })],
    [callOf('press_key', { key: 'q' })],
    [callOf('hotkey', { keys: ['Shift', 'w'] }), callOf('key_down', { key: 'e' })],
    [callOf('key_up', { key: 'e' }), callOf('key_combination', { keys: 'Shift+r' })],
    [callOf('type_text_at', { x: 1, y: 1, text: 'hunter2' })],
  );
  const message = await waitForTask(user, (await sendTask(user)).id);
  const [, ...typed] = partsOf(message, 'step').map(({ args }) => JSON.parse(args) as object);
  const keys = { keys: '•••' };
  const key = { key: '•••' };
  expect(typed).toEqual([key, keys, key, key, keys, { x: 1, y: 1, text: '•••' }]);
});

test('what the provider marks is asked and acknowledged, and what it blocks ends the run', async () => {
  const user = await app.pro();
  const safety = (decision: string) => ({ safety_decision: { decision, explanation: 'This pays.' } });
  app.model.play([callOf('click', { x: 1, y: 1, ...safety('require_confirmation') })]);
  const { id } = await sendTask(user);
  const { id: confirmationId, reason } = await waitingIn(app, id);
  expect(reason).toBe('provider');
  expect(app.host.requests.some(({ op }) => op === 'act')).toBe(false);
  await actOn(user, id, { act: 'allow', confirmationId });
  await waitForTask(user, id);
  const last = app.model.asked.at(-1)?.body.contents.at(-1)?.parts[0];
  expect(last).toMatchObject({ functionResponse: { response: { safety_acknowledgement: 'true' } } });
  app.host.requests.length = 0;
  app.model.play([callOf('click', { x: 1, y: 1, ...safety('block') })]);
  const blocked = await waitForTask(user, (await sendTask(user)).id);
  expect(blocked).toMatchObject({ status: 'failed', error: { code: 'upstream_blocked' }, creditsUsed: 0 });
  expect(app.host.requests.some(({ op }) => op === 'act')).toBe(false);
});

const elevenClicks = () => Array.from({ length: 11 }, (_, n) => click(`n${n}`));

test('more than ten steps are asked for, held in the same moment, and paid for when they begin', async () => {
  const user = await app.pro();
  app.model.play(elevenClicks());
  const { id } = await sendTask(user);
  const { id: confirmationId, reason } = await waitingIn(app, id);
  expect(reason).toBe('more_steps');
  expect(await balanceOf(user)).toBe(25);
  await actOn(user, id, { act: 'allow', confirmationId });
  await expect.poll(() => balanceOf(user)).toBe(10);
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'completed', cost: 30, creditsUsed: 30, quote: { max: 30 } });
  expect(message.charged?.lines).toEqual([
    { kind: 'message', credits: 15 },
    { kind: 'computer', credits: 15 },
  ]);
  expect(partsOf(message, 'step')).toHaveLength(11);
  const entries = (await (await user.get('/api/credits/entries')).json()) as { entries: object[] };
  expect(entries.entries.slice(0, 2)).toMatchObject([
    { kind: 'charge', amount: -15, reason: 'more_steps', messageId: id },
    { kind: 'charge', amount: -15, reason: 'message', messageId: id },
  ]);
  await expectNoDrift(app.database.database.sql);
});

test('more steps that are denied, or cannot be paid for, end in an answer with what there is', async () => {
  const user = await app.pro();
  app.model.play(elevenClicks());
  const first = await sendTask(user);
  const asked = await waitingIn(app, first.id);
  await actOn(user, first.id, { act: 'deny', confirmationId: asked.id });
  expect(await waitForTask(user, first.id)).toMatchObject({ status: 'completed', creditsUsed: 15 });
  const told = JSON.stringify(app.model.asked.at(-1)?.body.contents.at(-1));
  expect(told).toContain('No more actions are allowed');
  app.model.play(elevenClicks());
  const second = await sendTask(user);
  const again = await waitingIn(app, second.id);
  const refused = await actOn(user, second.id, { act: 'allow', confirmationId: again.id });
  expect(refused).toMatchObject({ status: 402, code: 'insufficient_credits' });
  expect(await stateOf(user, second.id)).toMatchObject({ state: 'waiting' });
  await user.post(`/api/messages/${second.id}/stop`);
  expect(await waitForTask(user, second.id)).toMatchObject({ status: 'stopped', creditsUsed: 15, cost: 15 });
  await expectNoDrift(app.database.database.sql);
});

test('steps that were allowed beforehand are held beforehand, and come back where they were not taken', async () => {
  const user = await app.pro();
  app.model.play([click()]);
  const sent = await sendTask(user, { options: { computer: { steps: 20 } } });
  expect(sent).toMatchObject({ cost: 30 });
  expect(await waitForTask(user, sent.id)).toMatchObject({ creditsUsed: 15 });
  await expect.poll(() => balanceOf(user)).toBe(25);
  const [row] = await app.database.database.sql<{ held: number }[]>`
    select sum(amount)::int as held from credit.transfer where hold_id = ${sent.id} and dst = 'held'`;
  expect(row?.held).toBe(30);
  await expectNoDrift(app.database.database.sql);
});

test('a process that stops ends what it asked, and gives back all that was held', async () => {
  const dying = await app.openBeside();
  await dying.deps.computer.start();
  const user = await app.pro();
  app.model.play(elevenClicks(), 'never');
  const { id } = await sendTask(dying.visit({ cookie: user.cookie }));
  const { id: confirmationId } = await waitingIn(app, id);
  await actOn(user, id, { act: 'allow', confirmationId });
  await expect.poll(() => app.model.asked.length).toBe(2);
  await dying.close();
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'interrupted', creditsUsed: 0 });
  expect(await balanceOf(user)).toBe(40);
  await expectNoDrift(app.database.database.sql);
});

test('a question that waits when its process ends is over, in its row and in the answer', async () => {
  const dying = await app.openBeside();
  await dying.deps.computer.start();
  const user = await app.pro();
  asks();
  app.model.play([click()]);
  const { id } = await sendTask(dying.visit({ cookie: user.cookie }));
  const { id: confirmationId } = await waitingIn(app, id);
  await dying.close();
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'interrupted', parts: [{ kind: 'confirmation', state: 'ended' }] });
  expect((await actOn(user, id, { act: 'allow', confirmationId })).code).toBe('confirmation_answered');
  expect(await stateOf(user, id)).toMatchObject({ state: 'ended' });
  expect(await balanceOf(user)).toBe(40);
  await expectNoDrift(app.database.database.sql);
});

test('a browser that is lost while its user is asked ends the run, free of charge', async () => {
  const user = await app.pro();
  asks();
  app.model.play([click()]);
  const { id } = await sendTask(user);
  await waitingIn(app, id);
  app.host.loseBrowser(id);
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'failed', error: { code: 'browser_failed' }, creditsUsed: 0 });
  expect(partsOf(message, 'confirmation')).toMatchObject([{ state: 'ended' }]);
  await expectNoDrift(app.database.database.sql);
});

test('a browser host that is gone ends its runs, free of charge, and is there for the next', async () => {
  const [user, other] = [await app.pro(), await app.pro()];
  asks();
  const runs = [];
  for (const client of [user, other]) {
    app.model.play([click()]);
    const { id } = await sendTask(client);
    await waitingIn(app, id);
    runs.push({ client, id });
  }
  app.host.lose();
  for (const { client, id } of runs) {
    const message = await waitForTask(client, id);
    expect(message).toMatchObject({ status: 'failed', error: { code: 'browser_failed' }, creditsUsed: 0 });
    expect(partsOf(message, 'confirmation')).toMatchObject([{ state: 'ended' }]);
  }
  app.host.play(() => ({ jpeg: null }));
  app.model.play([click()]);
  const next = await waitForTask(user, (await sendTask(user)).id);
  expect(next).toMatchObject({ status: 'completed', creditsUsed: 15, computer: 'browser' });
  await expectNoDrift(app.database.database.sql);
});

test('a question without an answer ends its run after its time, with what was begun paid for', async () => {
  const user = await app.pro();
  app.host.play(({ args }) => ({ jpeg: null, ...(args.x === 2 ? { ask: {} } : {}) }));
  app.model.play([click(), callOf('click', { x: 2, y: 2 })]);
  const { id } = await sendTask(user);
  const { id: confirmationId } = await waitingIn(app, id);
  await app.database.database.sql`
    update computer_confirmations set expires_at = now() - interval '1 second' where id = ${confirmationId}`;
  const message = await waitForTask(user, id);
  expect(message).toMatchObject({ status: 'stopped', creditsUsed: 15 });
  expect(partsOf(message, 'confirmation')).toMatchObject([{ state: 'expired' }]);
  await expectNoDrift(app.database.database.sql);
});

test('a question whose tab goes somewhere else is over, and the run goes on', async () => {
  const user = await app.pro();
  app.model.play([click()], 'never');
  const { id } = await sendTask(user);
  await expect.poll(() => app.model.asked.length).toBe(2);
  app.host.ask(id);
  const asked = await waitingIn(app, id);
  await waitForState(user, id, 'waiting');
  app.host.withdraw(id);
  await waitForState(user, id, 'running');
  const late = await actOn(user, id, { act: 'allow', confirmationId: asked.id });
  expect([late.status, late.code]).toEqual([409, 'confirmation_answered']);
  await user.post(`/api/messages/${id}/stop`);
  const message = await waitForTask(user, id);
  expect(partsOf(message, 'confirmation')).toMatchObject([{ id: asked.id, state: 'denied' }]);
});
