import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { WAIT_TIMEOUT_MS } from '#test/patient.ts';
import { runs } from '#test/runs.ts';
import { long } from './long.ts';
import { type Network, startNetwork } from './network.ts';
import { BRIEFLY, expect, lettersOf, test, Visitor } from './visitor.ts';

/** Letters at the end of a growing answer that may yet turn out to be marks, such as the number of a list. */
const HALF_WRITTEN = 12;
/** Answers that are read through mishaps, and how many mishaps befall the readers of each. */
const ANSWERS = runs(1, 5);
const MISHAPS = 4;

test(
  'a network that goes and comes back midway loses and repeats nothing',
  long('another journey goes most of the same way'),
  async ({ browser, baseURL }) => {
    const { me, network, close } = await behindNetwork(browser, baseURL);
    await me.signUp();
    await me.ask('/emulate long-answer characters=1600 讲一件需要耐心的事');
    const seen: string[] = [];
    const look = async () => {
      seen.push(await me.letters());
      return seen.at(-1)?.length ?? 0;
    };
    await expect(me.answer).toHaveText(/\S/);
    await expect.poll(look).toBeGreaterThan(40);

    for (let flip = 1; flip <= 3; flip++) {
      network.cut();
      await expect(me.page.getByText(me.say('chat.lost'))).toBeVisible();
      const before = await look();
      network.mend();
      await expect.poll(look).toBeGreaterThan(before);
      await expect(me.page.getByText(me.say('chat.lost'))).toBeHidden();
    }
    await me.rest();
    const [message] = await me.stored();
    const whole = lettersOf(message?.response ?? '');
    await expect.poll(() => me.letters()).toBe(whole);
    for (const part of seen) expect(whole.startsWith(part.slice(0, -HALF_WRITTEN)), part).toBe(true);
    expect(message).toMatchObject({ status: 'completed', creditsUsed: 15 });
    await close();
  },
);

test(
  'through lost networks, reloads and hidden tabs in two browsers the answers are what the server has',
  long('tests of streams and of following hold the same'),
  async ({ visitor, browser, baseURL }, testInfo) => {
    const sender = visitor('zh');
    await sender.openAccount();
    const conversationId = randomUUID();
    const readers = await Promise.all([1, 2].map(() => behindNetwork(browser, baseURL, sender.email)));
    for (const { me } of readers) await me.signIn();
    const mishaps = [loseNetwork, reload, hide];
    const path: string[] = [];

    let parentId: string | null = null;
    for (let answers = 1; answers <= ANSWERS; answers++) {
      const id = randomUUID();
      const content = '/emulate long-answer characters=1000 讲一件需要耐心的事';
      const data = { id, conversationId, parentId, model: 'gemini-2.5-flash-lite', content };
      expect((await sender.page.request.post('/api/messages', { data })).status()).toBe(201);
      for (const { me } of readers) {
        if (answers === 1) await me.page.goto(`/zh/chat/${conversationId}`);
        await expect(me.turns).toHaveCount(answers);
      }
      for (let flip = 1; flip <= MISHAPS; flip++) {
        const [who, what] = [Math.floor(Math.random() * 2), Math.floor(Math.random() * mishaps.length)];
        path.push(`${who}: ${mishaps[what]?.name}`);
        const reader = readers[who];
        if (reader) await mishaps[what]?.(reader);
      }
      const read = async () =>
        (await (await sender.page.request.get(`/api/messages/${id}`)).json()) as {
          status: string;
          response: string;
        };
      await expect
        .poll(async () => (await read()).status, { timeout: 2 * WAIT_TIMEOUT_MS })
        .toBe('completed');
      const whole = lettersOf((await read()).response);
      for (const { me } of readers) {
        await expect.poll(() => me.letters(), path.join(', ')).toBe(whole);
        await expect(me.turns).toHaveCount(answers);
        await me.expectCredits(40 - 8 * answers);
      }
      parentId = id;
    }
    testInfo.annotations.push({ type: 'mishaps', description: path.join(', ') });
    expect(path).toHaveLength(ANSWERS * MISHAPS);
    for (const { close } of readers) await close();
  },
);

interface Reader {
  me: Visitor;
  network: Network;
  close(): Promise<void>;
}

/** A visitor at a browser whose network can be cut. */
async function behindNetwork(browser: Browser, baseURL: string | undefined, email?: string): Promise<Reader> {
  const network = await startNetwork();
  const context = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    proxy: { server: network.url, bypass: '<-loopback>' },
  });
  const close = async () => {
    await context.close();
    await network.stop();
  };
  return { me: new Visitor(await context.newPage(), 'zh', email), network, close };
}

async function loseNetwork({ me, network }: Reader) {
  network.cut();
  await me.page.waitForTimeout(300);
  network.mend();
}

async function reload({ me }: Reader) {
  await me.page.reload();
}

async function hide({ me }: Reader) {
  await show(me.page, 'hidden');
  await me.page.waitForTimeout(300);
  await show(me.page, 'visible');
}

test(
  'a hidden tab holds no connection, and knows everything when it is back',
  long('another journey goes most of the same way'),
  async ({ visitor, context }) => {
    const me = visitor('zh');
    await me.signUp();
    const live = me.page.waitForRequest('**/api/live');
    await me.page.reload();
    await live;
    await me.ask(`${BRIEFLY}第一个问题`);
    await me.rest();
    const closed = me.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/live'));
    await show(me.page, 'hidden');
    await closed;

    const other = await context.newPage();
    await other.goto(me.page.url());
    await other.getByRole('textbox').fill(`${BRIEFLY}第二个问题`);
    await other.getByRole('textbox').press('Enter');
    await expect(other.getByRole('article')).toHaveCount(2);
    await other.close();
    await expect(me.turns).toHaveCount(1);
    await show(me.page, 'visible');
    await expect(me.turns).toHaveCount(2);
    await me.expectCredits(10);
    await me.rest();
  },
);

/** Chromium without a window never hides a page, so the test sends the event. */
async function show(page: Page, state: 'visible' | 'hidden') {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test(
  'what changed between the first look and the first news is on screen all the same',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('en');
    const opened = Promise.withResolvers<void>();
    await me.page.route('**/api/live', async (route) => {
      await opened.promise;
      await route.continue();
    });
    await me.signUp();
    await me.expectCredits(40);
    const response = await me.page.request.post('/api/messages', {
      data: {
        id: randomUUID(),
        conversationId: randomUUID(),
        parentId: null,
        model: 'parley-flash',
        content: `${BRIEFLY}Hello`,
      },
    });
    expect(response.status()).toBe(201);
    opened.resolve();
    await me.expectCredits(25);
  },
);

test('a question whose page is loaded anew as it goes out is there once, and not in the composer any more', async ({
  visitor,
}) => {
  const me = visitor('zh');
  const { page } = me;
  await me.signUp();
  for (const [turns, question] of ['第一问', '第二问'].entries()) {
    const arrived = Promise.withResolvers<void>();
    await page.route('**/api/messages', async (route) => {
      await route.fetch();
      arrived.resolve();
    });
    await me.ask(`${BRIEFLY}${question}`);
    await arrived.promise;
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await expect(me.turns).toHaveCount(turns + 1);
    await expect(me.composer).toHaveValue('');
  }
  expect(await me.balance()).toBe(10);
});
