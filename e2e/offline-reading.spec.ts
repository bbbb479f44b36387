import type { Page } from '@playwright/test';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, test, Visitor } from './visitor.ts';

test.use({ serviceWorkers: 'allow' });

/** What this device keeps, as a script of the page sees it: names, and whether any of it can be read. */
function lookAtDevice(page: Page) {
  return page.evaluate(async () => {
    const nothing = { names: [], text: '' };
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === 'offline')) return nothing;
    const answered = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const opening = indexedDB.open('offline');
    // It was deleted since it was listed: one that is made by looking is taken back.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    const database = await answered(opening).catch(() => null);
    if (!database) return nothing;
    const copies = database.transaction('copies').objectStore('copies');
    const all = await answered<{ name: string; data: ArrayBuffer }[]>(copies.getAll());
    database.close();
    const text = all.map(({ data }) => new TextDecoder('utf-8').decode(data)).join();
    return { names: all.map(({ name }) => name), text };
  });
}

function conversationOf({ page }: Visitor): string {
  return new URL(page.url()).pathname.split('/')[3] ?? '';
}

async function expectKept(me: Visitor, id: string) {
  await expect.poll(async () => (await lookAtDevice(me.page)).names).toContain(`messages/${id}`);
}

/** The chat has what it needs to start without a network. */
async function waitForWorker({ page }: Visitor) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
  });
}

for (const { language, title } of journeys(
  'what was opened is read without a network, in a page that starts without one, and no more once signed out',
)) {
  test(title, long('tests of the copies hold most of it'), async ({ visitor, context }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await me.ask(`${BRIEFLY}canary-question`);
    await me.rest();
    const words = await me.letters();
    const id = conversationOf(me);
    await expectKept(me, id);
    await waitForWorker(me);
    const { text } = await lookAtDevice(page);
    expect(text.length).toBeGreaterThan(100);
    expect(text).not.toContain('canary');

    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(say('offline.chat'))).toBeVisible();
    await expect.poll(() => me.letters()).toBe(words);
    await page.goto(`/${language}/chat`);
    await page.getByRole('link', { name: 'canary-question' }).click();
    await expect(me.turns).toHaveCount(1);
    await expect.poll(() => me.letters()).toBe(words);
    await page.goto(`/${language}/pricing`);
    await expect(page.getByRole('heading', { name: say('offline.title') })).toBeVisible();

    await context.setOffline(false);
    await expect(page).toHaveURL(`/${language}/pricing`);
    await page.goto(`/${language}/chat/${id}`);
    await expect(page.getByText(say('offline.chat'))).toBeHidden();
    await me.ask(`${BRIEFLY}again`);
    await expect(me.turns).toHaveCount(2);
    await me.rest();

    const other = await me.openTab(`/${language}/chat`);
    await other.page.getByRole('button', { name: say('nav.accountMenu') }).click();
    await other.page.getByRole('menuitem', { name: say('nav.logout') }).click();
    await expect(page.getByText(say('chat.signedOutTitle'), { exact: true })).toBeVisible();
    await expect.poll(async () => (await lookAtDevice(page)).names).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).not.toContain('offline_key');
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText('canary-question')).toHaveCount(0);
    await expect(page.getByRole('article')).toHaveCount(0);
  });
}

test(
  'a copy goes with its conversation, none is made of a temporary one, and another account finds none',
  long('the journey above goes most of the way'),
  async ({ visitor, browser }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    await me.ask(`${BRIEFLY}第一个`);
    await me.rest();
    const first = conversationOf(me);
    await expectKept(me, first);

    await page.goto('/zh/chat');
    await page.getByRole('button', { name: say('chat.temporary'), exact: true }).click();
    await me.ask(`${BRIEFLY}不要留下`);
    await me.rest();
    const temporary = conversationOf(me);

    const elsewhere = await me.elsewhere(browser);
    await elsewhere.signIn();
    const deleted = await elsewhere.page.request.delete(
      new URL(`/api/conversations/${first}`, page.url()).href,
    );
    expect(deleted.status()).toBe(200);
    await elsewhere.page.context().close();
    await expect.poll(async () => (await lookAtDevice(page)).names).not.toContain(`messages/${first}`);
    expect((await lookAtDevice(page)).names).toContain('user');
    expect((await lookAtDevice(page)).names).not.toContain(`messages/${temporary}`);

    await page.evaluate(() => {
      localStorage.removeItem('session');
    });
    const other = new Visitor(page, 'zh');
    await other.openAccount();
    await page.goto('/zh/chat');
    await other.ask(`${BRIEFLY}别人的`);
    await other.rest();
    await expectKept(other, conversationOf(other));
    const { names } = await lookAtDevice(page);
    expect(names.filter((name) => name.startsWith('messages/'))).toEqual([
      `messages/${conversationOf(other)}`,
    ]);
  },
);

test(
  'a session that ended elsewhere leaves nothing on this device once that is noticed',
  long('another journey signs out'),
  async ({ visitor, browser }) => {
    const me = visitor('zh');
    await me.signUp();
    await me.ask(`${BRIEFLY}留在这里`);
    await me.rest();
    await expectKept(me, conversationOf(me));
    await me.page.goto('about:blank');
    const elsewhere = await me.elsewhere(browser);
    await elsewhere.signIn();
    const ended = await elsewhere.page.request.delete('/api/sessions');
    expect(ended.status()).toBeLessThan(300);
    await elsewhere.page.context().close();
    await me.page.goto('/zh/faq');
    await expect.poll(async () => (await lookAtDevice(me.page)).names).toEqual([]);
    expect(await me.page.evaluate(() => document.cookie)).not.toContain('offline_key');
  },
);

test(
  'online a page is always the server’s, and what is kept for it holds nothing of a reader',
  long('a detail that seldom breaks'),
  async ({ visitor, context }) => {
    const me = visitor('zh');
    const { page } = me;
    await me.signUp();
    await me.ask(`${BRIEFLY}canary`);
    await me.rest();
    await waitForWorker(me);
    const kept = await page.evaluate(async () => {
      const files: string[] = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const { url } of await cache.keys()) files.push(new URL(url).pathname);
        const stale = new Response('<h1>stale</h1>', { headers: { 'content-type': 'text/html' } });
        await cache.put('/zh/chat', stale);
      }
      return files;
    });
    expect(kept.length).toBeGreaterThan(20);
    for (const path of kept) expect(path).toMatch(/^\/(assets\/.+|(zh|en)\/(chat|offline))$/);
    await page.goto('/zh/chat');
    await expect(me.composer).toBeVisible();
    await expect(page.getByText('stale')).toHaveCount(0);
    await context.setOffline(true);
    await page.goto('/zh/chat');
    await expect(page.getByRole('heading', { name: 'stale' })).toBeVisible();
  },
);
