import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startGeminiEmulator } from '#emulators/gemini/gemini-emulator.ts';
import type { Emulator } from '#emulators/http-server.ts';
import { Sights } from '#emulators/site/sights.ts';
import { SITE_HOSTS, startSiteEmulator } from '#emulators/site/site-emulator.ts';
import { createTestApp, type TestApp } from '#test/app.ts';
import {
  type ComputerApp,
  createComputerApp,
  partsOf,
  readTask,
  sendTask,
  waitForTask,
} from '#test/computer/computer.ts';
import { callOf, DONE } from '#test/computer/played-model.ts';
import { NO_WALLS, walled } from '#test/computer/walls.ts';
import { controlEmulator } from '#test/emulator-control.ts';
import { openEvents } from '#test/events.ts';
import { insertSubscription } from '#test/factories.ts';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { IS_LONG } from '#test/runs.ts';
import { takePageTables } from './take-page-tables.ts';

const PRICES = {
  ...{ heading: '价目表', hasHead: true, isCut: false },
  rows: [
    ['名称', '价格'],
    ['西湖龙井', '¥168'],
  ],
};
const RUN_MS = 8 * WAIT_TIMEOUT_MS;

describe('a run whose page has a table', () => {
  let app: ComputerApp;
  beforeAll(async () => {
    app = await createComputerApp();
  });
  beforeEach(() => {
    app.reset();
    app.host.play(() => ({ jpeg: null }));
    app.host.showTables([PRICES]);
    app.model.play([callOf('click', { x: 1, y: 1 })]);
  });
  afterAll(() => app.close());

  test('has it as a part behind its answer, for readers that follow too, and tells no later turn of it', async () => {
    const user = await app.pro();
    const { id, conversationId } = await sendTask(user);
    const message = await waitForTask(user, id);
    expect(message).toMatchObject({ status: 'completed', response: DONE, creditsUsed: 15 });
    expect(message.parts?.map(({ kind }) => kind)).toEqual(['step', 'text', 'table']);
    expect(partsOf(message, 'table')).toEqual([
      {
        kind: 'table',
        n: 1,
        title: '价目表',
        url: 'http://shop.test/',
        hasHead: true,
        isCut: false,
        rows: PRICES.rows,
      },
    ]);
    const events = await openEvents(user, `/api/messages/${id}/events`, { after: 1 });
    await events.ended;
    expect(events.received.map(({ event }) => event)).toEqual(['text', 'part', 'end']);
    await waitForTask(user, (await sendTask(user, { conversationId, parentId: id })).id);
    const told = JSON.stringify(app.model.asked.at(-1)?.body.contents);
    expect(told).toContain('[step 1: click');
    expect(told).not.toContain('龙井');
  });

  test('has none of what was typed into a secret field', async () => {
    const user = await app.pro();
    app.host.play(() => ({ jpeg: null, sensitive: true }));
    app.host.showTables([{ ...PRICES, rows: [...PRICES.rows, ['card hunter2', 'hunter2']] }]);
    app.model.play([callOf('type', { text: 'hunter2' })]);
    const message = await waitForTask(user, (await sendTask(user)).id);
    expect(partsOf(message, 'table')[0]?.rows.at(-1)).toEqual(['card •••', '•••']);
    expect(JSON.stringify(message)).not.toContain('hunter2');
  });

  test('is not read where it took no step', async () => {
    const user = await app.pro();
    app.model.play();
    const words = await waitForTask(user, (await sendTask(user)).id);
    expect(words.parts).toBeUndefined();
    expect(app.host.requests.map(({ op }) => op)).not.toContain('read');
  });

  test('comes to its answer without it where its browser is lost meanwhile', async () => {
    const user = await app.pro();
    app.host.showTables(null);
    const { id } = await sendTask(user);
    await vi.waitFor(() => expect(app.host.requests.map(({ op }) => op)).toContain('read'), WAIT_TIMEOUT_MS);
    app.host.loseBrowser(id);
    const message = await waitForTask(user, id);
    expect(message).toMatchObject({ status: 'completed', response: DONE, creditsUsed: 15 });
    expect(partsOf(message, 'table')).toEqual([]);
  });
});

test('a page that is not read in time, or not at all, adds nothing to an answer', async () => {
  const added: unknown[] = [];
  const stop = new AbortController();
  const run = { signal: stop.signal, addPart: (part: unknown) => added.push(part) };
  const take = (read: () => Promise<never>, ms?: number) =>
    takePageTables({ host: { read }, log: { debug: () => {} } as never }, { id: 'a', run }, new Set(), ms);
  await take(() => new Promise(() => {}), 5);
  await take(() => Promise.reject(new Error('no such run')));
  const stopped = take(() => new Promise(() => {}), RUN_MS);
  stop.abort();
  await stopped;
  await take(() => Promise.reject(new Error('not asked')), RUN_MS);
  expect(added).toEqual([]);
});

test('what a user typed into a secret field before the page was read stands in no table of it', async () => {
  const added: unknown[] = [];
  const run = { signal: new AbortController().signal, addPart: (part: unknown) => added.push(part) };
  const page = {
    url: 'http://shop.test/?q=hunter2',
    title: 'Shop',
    tables: [PRICES],
    secrets: ['龙井', '¥168', 'hunter2'],
  };
  const read = async () => page;
  await takePageTables({ host: { read }, log: { debug: () => {} } as never }, { id: 'a', run }, new Set());
  expect(added).toMatchObject([
    { url: 'http://shop.test/?q=•••', rows: [PRICES.rows[0], ['西湖龙井', '•••']] },
  ]);
});

// In the short run a journey reads them, and `browser-run.test.ts` how a page's tables are read.
describe.skipIf(NO_WALLS !== null || !IS_LONG)(walled('a model that reads the prices of the shop'), () => {
  let app: TestApp;
  const opened: { close(): Promise<unknown> }[] = [];
  beforeAll(async () => {
    const sights = new Sights();
    const site: Emulator = await startSiteEmulator({ port: 0, sights });
    const gemini = await startGeminiEmulator({ port: 0, sights });
    opened.push(site, gemini);
    await controlEmulator(gemini.url).pace();
    const hosts = SITE_HOSTS.map((name) => `${name}=${new URL(site.url).host}`).join(',');
    const env = { COMPUTER_USE: 'auto', COMPUTER_TEST_HOSTS: hosts, GEMINI_BASE_URL: gemini.url };
    app = await createTestApp({ env });
    opened.unshift(app);
    const prove = async () => {
      await app.deps.computer.start();
      expect(app.deps.computer.isReady()).toBe(true);
    };
    await vi.waitFor(prove, { timeout: RUN_MS });
  }, RUN_MS);
  afterAll(async () => {
    for (const each of opened) await each.close();
  });

  test('has its table as it stands in the page', { timeout: RUN_MS }, async () => {
    const user = await app.signedIn();
    await insertSubscription(app.database.database.sql, user.userId);
    const { id } = await sendTask(user, { content: '打开 shop.test，把价格整理成表格' });
    await vi.waitFor(async () => expect((await readTask(user, id)).status).not.toBe('running'), RUN_MS);
    const message = await readTask(user, id);
    expect(message.status).toBe('completed');
    const [prices, ...others] = partsOf(message, 'table');
    expect(others).toEqual([]);
    expect(prices).toMatchObject({ n: 1, title: '价目表', hasHead: true, isCut: false });
    expect(new URL(prices?.url ?? '').pathname).toContain('/prices');
    expect(prices?.rows).toHaveLength(13);
    expect(prices?.rows.slice(0, 2)).toEqual([
      ['名称', '产地', '净重', '价格'],
      ['西湖龙井', '浙江杭州', '100 克', '¥168'],
    ]);
  });
});
