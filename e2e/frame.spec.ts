import type { Locator, Page } from '@playwright/test';
import type { MessagePage } from '#contract/chat.ts';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, test, type Visitor } from './visitor.ts';

const PHONE = { width: 390, height: 844 };
const SITE_PAGES = [
  ['home', ''],
  ['features', '/features'],
  ['chat', '/chat'],
  ['pricing', '/pricing'],
  ['news', '/news'],
  ['faq', '/faq'],
  ['models', '/models'],
  ['api', '/api'],
  ['contact', '/contact'],
  ['privacy', '/privacy'],
  ['terms', '/terms'],
] as const;

const drawer = ({ page, say }: Visitor) => page.getByRole('dialog', { name: say('chat.conversations') });
const palette = ({ page, say }: Visitor) => page.getByRole('dialog', { name: say('chat.search') });

/** Starts a conversation through the server, on the cheapest model. */
async function begin({ page }: Visitor, content: string): Promise<string> {
  const conversationId = crypto.randomUUID();
  const response = await page.request.post('/api/messages', {
    data: {
      id: crypto.randomUUID(),
      conversationId,
      parentId: null,
      model: 'gemini-2.5-flash-lite',
      content: BRIEFLY + content,
    },
  });
  expect(response.status(), await response.text()).toBe(201);
  return conversationId;
}

/** Waits until the server has the end of a conversation's newest answer. */
async function ended({ page }: Visitor, conversationId: string): Promise<void> {
  const status = async () => {
    const response = await page.request.get(`/api/messages?conversationId=${conversationId}`);
    return ((await response.json()) as MessagePage).messages.at(-1)?.status;
  };
  await expect.poll(status).toBe('completed');
}

/** Goes across the screen with one finger. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: 400 }] });
  await touch('touchStart', from);
  for (let step = 1; step <= 6; step += 1) {
    await touch('touchMove', from + ((to - from) * step) / 6);
    await page.waitForTimeout(20);
  }
  await touch('touchEnd', to);
}

for (const { language, title } of journeys(
  'the chat has one bar, whose mark opens what header and footer of other pages hold',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    const bar = page.getByRole('banner');
    await expect(bar).toHaveCount(1);
    expect((await bar.boundingBox())?.height).toBe(56);
    expect((await bar.boundingBox())?.y).toBe(0);
    await expect(page.getByRole('contentinfo')).toHaveCount(0);
    await expect(bar).toContainText('Wanderer');
    await me.expectCredits(40);

    await me.siteMenu.click();
    for (const [name, path] of SITE_PAGES) {
      const link = page.getByRole('menuitem', { name: say(`nav.${name}`), exact: true });
      await expect(link).toHaveAttribute('href', `/${language}${path}`);
    }
    await page.getByRole('menuitemradio', { name: say('theme.dark') }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page.getByRole('menu')).toBeHidden();

    await page.getByRole('button', { name: say('chat.conversationsHide') }).click();
    await expect(page.getByRole('complementary')).toBeHidden();
    await me.siteMenu.click();
    const other = language === 'zh' ? 'en' : 'zh';
    await page.getByRole('menuitem', { name: say('language.other') }).click();
    await expect(page).toHaveURL(`/${other}/chat`);
    await expect(page.getByRole('complementary')).toBeHidden();
    await expect(bar.getByRole('link', { name: visitor(other).say('chat.newConversation') })).toBeVisible();
  });
}

for (const { language, title } of journeys(
  'on a phone the list is a drawer: a button and a finger open it; the way back, Escape and a finger close it',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await page.setViewportSize(PHONE);
    await me.signUp();
    const id = await begin(me, 'Alpha');
    const bar = page.getByRole('banner');
    expect((await bar.boundingBox())?.height).toBe(56);
    const title = await bar.getByRole('heading').boundingBox();
    const model = await bar.getByRole('button', { name: me.ownModel('Flash') }).boundingBox();
    expect(title?.width).toBeGreaterThan(200);
    expect(model?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
    const button = page.getByRole('button', { name: say('chat.conversationsShow') });
    await button.click();
    await expect(drawer(me).getByRole('link', { name: say('chat.newConversation') })).toBeInViewport();
    await expect(drawer(me).getByText(/\d\sCredits/)).toBeInViewport();
    await me.siteMenu.click();
    await expect(page.getByRole('menuitem', { name: say('nav.pricing'), exact: true })).toBeInViewport();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(drawer(me)).toBeHidden();
    await expect(button).toBeFocused();

    await swipe(page, 30, 180);
    await expect(drawer(me)).toBeVisible();
    await page.goBack();
    await expect(drawer(me)).toBeHidden();
    await expect(page).toHaveURL(`/${language}/chat`);
    await swipe(page, 200, 380);
    await page.waitForTimeout(300);
    await expect(drawer(me)).toBeHidden();

    await swipe(page, 30, 180);
    await expect(drawer(me)).toBeVisible();
    await swipe(page, 280, 120);
    await expect(drawer(me)).toBeHidden();
    await button.click();
    await drawer(me).getByRole('link', { name: 'Alpha' }).click();
    await expect(drawer(me)).toBeHidden();
    await expect(page).toHaveURL(`/${language}/chat/${id}`);
    await expect(me.titleButton).toContainText('Alpha');
    await page.goBack();
    await expect(page).toHaveURL(`/${language}/chat`);
    await expect(drawer(me)).toBeHidden();
  });
}

test(
  'a drawer that was open is closed when the page is loaded anew',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('en');
    await me.page.setViewportSize(PHONE);
    await me.signUp();
    await me.page.getByRole('button', { name: me.say('chat.conversationsShow') }).click();
    await expect(drawer(me)).toBeVisible();
    await me.page.reload();
    await expect(me.composer).toBeEditable();
    await expect(drawer(me)).toBeHidden();
  },
);

test(
  'new chat and search stay where they are while the list scrolls',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    const now = Date.now();
    await page.route('**/api/conversations', (route) =>
      route.fulfill({
        json: {
          conversations: Array.from({ length: 60 }, (_, index) => ({
            id: `01920000-0000-7000-8000-${String(index).padStart(12, '0')}`,
            title: `Talk ${index + 1}`,
            createdAt: now - index,
            updatedAt: now - index,
            pinnedAt: null,
            archivedAt: null,
            temporary: false,
          })),
          nextCursor: null,
        },
      }),
    );
    await me.signUp();
    const list = page.getByRole('navigation', { name: say('chat.conversations') });
    await list.getByRole('link', { name: 'Talk 60', exact: true }).scrollIntoViewIfNeeded();
    const side = page.getByRole('complementary');
    await expect(side.getByRole('link', { name: say('chat.newConversation') })).toBeInViewport({ ratio: 1 });
    await expect(side.getByRole('button', { name: say('chat.search'), exact: true })).toBeInViewport({
      ratio: 1,
    });
    await expect(side.getByRole('button', { name: say('chat.archiveShow') })).toBeInViewport({ ratio: 1 });
  },
);

/** Opens the palette, types, and takes what Enter takes. */
async function command(me: Visitor, words: string, expected: string | RegExp): Promise<void> {
  await me.page.keyboard.press('Control+k');
  const field = palette(me).getByRole('combobox');
  await expect(field).toBeFocused();
  await field.fill(words);
  const active = palette(me).getByRole('option', { selected: true });
  await expect(active).toContainText(expected);
  await expect(field).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? '');
  await me.page.keyboard.press('Enter');
  await expect(palette(me)).toBeHidden();
}

const WORDS = {
  zh: { theme: '深色', rename: '改名', model: 'Lite', settings: '设置', list: '收起' },
  en: { theme: 'dark', rename: 'title', model: 'Lite', settings: 'settings', list: 'hide conversations' },
};

for (const { language, title } of journeys(
  'the palette finds conversations, actions and pages, and does what Enter takes',
)) {
  test(title, long('another journey finds conversations, and menus do the rest'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    const words = WORDS[language];
    await me.signUp();
    const alpha = await begin(me, 'Alpha');
    await begin(me, 'Beta');
    await expect(page.getByRole('navigation').getByRole('listitem')).toHaveCount(2);

    await command(me, 'alp', 'Alpha');
    await expect(page).toHaveURL(`/${language}/chat/${alpha}`);
    await expect(me.titleButton).toContainText('Alpha');
    await page.goBack();
    await expect(page).toHaveURL(`/${language}/chat`);
    await page.goForward();
    await expect(palette(me)).toBeHidden();

    await command(me, words.theme, say('theme.dark'));
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page).toHaveURL(`/${language}/chat/${alpha}`);

    await command(me, words.rename, say('chat.rename'));
    const field = page.getByRole('textbox', { name: say('chat.renameLabel') });
    await expect(field).toBeFocused();
    await field.fill('Gamma');
    await field.press('Enter');
    await expect(me.titleButton).toContainText('Gamma');

    await command(me, words.model, 'Lite');
    await expect(page.getByRole('banner').getByRole('button', { name: /Lite$/ })).toBeVisible();

    await command(me, words.list, say('chat.keyList'));
    await expect(page.getByRole('complementary')).toBeHidden();

    await page.keyboard.press('Control+k');
    await expect(palette(me)).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(palette(me)).toBeHidden();
    await page.keyboard.press('Control+k');
    await expect(palette(me)).toBeVisible();
    await page.goBack();
    await expect(palette(me)).toBeHidden();
    await expect(page).toHaveURL(`/${language}/chat/${alpha}`);

    await command(me, say('files.ofConversation'), say('files.ofConversation'));
    await expect(page.getByRole('dialog', { name: say('files.ofConversation') })).toBeVisible();
    await page.keyboard.press('Escape');

    await command(me, words.settings, say('nav.profile'));
    await expect(page).toHaveURL('/profile/details');
    await page.goto(`/${language}/chat`);
    await expect(me.composer).toBeVisible();
    const section = say('accountPages.profile/devices');
    await command(me, section, say('palette.section', { section }));
    await expect(page).toHaveURL('/profile/devices');
    await page.goBack();
    await expect(me.composer).toBeVisible();
    await command(me, say('nav.logout'), say('nav.logout'));
    await expect(page).toHaveURL(`/${language}`);
  });
}

test(
  'on a phone the drawer leads to the palette, which fills the screen',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await page.setViewportSize(PHONE);
    await me.signUp();
    await begin(me, '去京都');
    await page.getByRole('button', { name: say('chat.conversationsShow') }).click();
    await drawer(me)
      .getByRole('button', { name: say('chat.search'), exact: true })
      .click();
    await expect(drawer(me)).toBeHidden();
    await expect(palette(me)).toBeVisible();
    await expect.poll(async () => palette(me).boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
    await palette(me).getByRole('combobox').fill('京都');
    await palette(me).getByRole('option').first().click();
    await expect(me.titleButton).toContainText('去京都');
    await page.goBack();
    await expect(page).toHaveURL('/zh/chat');
  },
);

test(
  'a conversation is read when the pointer rests on its row, and one seen before asks for nothing',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    // An answer that ends while it is being opened is read once more.
    for (const name of ['Alpha', 'Beta']) await ended(me, await begin(me, name));
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/messages?')) asked.push(request.url());
    });
    const row = (name: string): Locator =>
      page.getByRole('navigation', { name: say('chat.conversations') }).getByRole('link', { name });
    await row('Alpha').hover();
    await expect.poll(() => asked.length).toBe(1);
    await row('Alpha').click();
    await expect(me.answer).toHaveText(/\S/);
    expect(asked).toHaveLength(1);
    await row('Beta').focus();
    await expect.poll(() => asked.length).toBe(2);
    await page.keyboard.press('Enter');
    await expect(me.titleButton).toContainText('Beta');
    await row('Alpha').click();
    await expect(me.titleButton).toContainText('Alpha');
    await expect(me.answer).toHaveText(/\S/);
    expect(asked).toHaveLength(2);
  },
);
