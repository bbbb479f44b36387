import { readFileSync } from 'node:fs';
import type { Locator } from '@playwright/test';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, test, type Visitor } from './visitor.ts';

function listOf(me: Visitor): Locator {
  return me.page.getByRole('navigation', { name: me.say('chat.conversations') });
}

function rowOf(me: Visitor, title: string): Locator {
  return listOf(me).getByRole('listitem').filter({ hasText: title });
}

async function choose(me: Visitor, title: string, key: string) {
  await rowOf(me, title).hover();
  await me.page.getByRole('button', { name: me.say('chat.conversationMenu', { title }) }).click();
  await me.page.getByRole('menuitem', { name: me.say(key), exact: true }).click();
}

/** Starts a conversation through the server, on the cheapest model. */
async function begin(me: Visitor, question: string, staging = ''): Promise<string> {
  const conversationId = crypto.randomUUID();
  const response = await me.page.request.post('/api/messages', {
    data: {
      id: crypto.randomUUID(),
      conversationId,
      parentId: null,
      model: 'gemini-2.5-flash-lite',
      content: `${staging}${question}`,
    },
  });
  expect(response.status(), await response.text()).toBe(201);
  return conversationId;
}

for (const { language, title } of journeys(
  'a conversation is renamed, pinned, archived and brought back, and every open tab knows',
)) {
  test(title, async ({ visitor, context }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await begin(me, 'Alpha');
    await begin(me, 'Beta');
    const other = await context.newPage();
    const live = other.waitForResponse('**/api/live');
    await other.goto(`/${language}/chat`);
    await live;
    const there = other.getByRole('navigation', { name: say('chat.conversations') });
    await expect(listOf(me).getByRole('link')).toHaveText(['Beta', 'Alpha']);
    await expect(listOf(me).getByRole('heading')).toHaveText([say('chat.groupToday')]);

    await choose(me, 'Alpha', 'chat.rename');
    const field = page.getByRole('textbox', { name: say('chat.renameLabel') });
    await expect(field).toBeFocused();
    await field.fill('旅行计划');
    await field.press('Enter');
    await expect(listOf(me).getByRole('link')).toHaveText(['Beta', '旅行计划']);
    await expect(there.getByRole('link')).toHaveText(['Beta', '旅行计划']);

    await choose(me, '旅行计划', 'chat.pin');
    await expect(there.getByRole('heading')).toHaveText([say('chat.groupPinned'), say('chat.groupToday')]);
    await expect(there.getByRole('link')).toHaveText(['旅行计划', 'Beta']);

    await choose(me, '旅行计划', 'chat.archive');
    await page.getByRole('button', { name: say('chat.undo') }).click();
    await expect(there.getByRole('heading')).toHaveText([say('chat.groupPinned'), say('chat.groupToday')]);

    await choose(me, 'Beta', 'chat.archive');
    await expect(listOf(me).getByRole('link')).toHaveText(['旅行计划']);
    await listOf(me)
      .getByRole('button', { name: say('chat.archiveShow') })
      .click();
    await expect(listOf(me).getByRole('link')).toHaveText(['Beta']);
    await choose(me, 'Beta', 'chat.unarchive');
    await expect(listOf(me)).toContainText(say('chat.archiveEmpty'));
    await listOf(me)
      .getByRole('button', { name: say('chat.archiveLeave') })
      .click();
    await expect(listOf(me).getByRole('link')).toHaveText(['旅行计划', 'Beta']);
    await expect(there.getByRole('link')).toHaveText(['旅行计划', 'Beta']);
  });
}

for (const { language, title } of journeys(
  'a conversation is marked while it is answered and when that ended unseen, in the list and on the browser tab',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await begin(me, 'Away', '/emulate slow-first-token ms=4000 ');
    const away = rowOf(me, 'Away').getByRole('link');
    await expect(away).toHaveAccessibleDescription(say('chat.markRunning'));
    await me.ask('/emulate slow-first-token ms=3000 Here');
    const here = /Here · /;
    await expect(page).toHaveTitle(new RegExp(`^● .*${here.source}`));
    await me.rest();
    await expect(page).toHaveTitle(new RegExp(`^[^●]*${here.source}`));
    await expect(away).toHaveAccessibleDescription(say('chat.markEnded'));
    const seen = rowOf(me, 'Here').getByRole('link');
    await expect(seen).not.toHaveAccessibleDescription(say('chat.markEnded'));
    // Its title has the place of the button until that is shown.
    await expect(seen).toHaveCSS('padding-right', '12px');
    await seen.hover();
    await expect(seen).toHaveCSS('padding-right', '36px');
    await page.reload();
    await expect(away).toHaveAccessibleDescription(say('chat.markEnded'));
    await away.click();
    await expect(page).toHaveTitle(/Away · /);
    await expect(away).not.toHaveAccessibleDescription(say('chat.markEnded'));
    await page.goto(`/${language}/pricing`);
    await expect(page).toHaveTitle(
      say('page.pricing.title', { brand: language === 'zh' ? '对谈' : 'Parley' }),
    );
  });
}

for (const { language, title } of journeys('deleting is undone from the notice, and else final')) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await me.ask(`${BRIEFLY}Gamma`);
    await me.rest();
    const title = `${BRIEFLY}Gamma`.trim();
    const address = new URL(page.url()).pathname;
    await me.titleButton.click();
    await page.getByRole('menuitem', { name: say('chat.delete'), exact: true }).click();
    await expect(page).toHaveURL(`/${language}/chat`);
    await expect(listOf(me)).toContainText(say('chat.conversationsEmpty'));
    await expect(page.getByRole('status').filter({ hasText: say('chat.deleted') })).toBeVisible();
    await page.getByRole('button', { name: say('chat.undo') }).click();
    await expect(rowOf(me, title)).toBeVisible();
    await rowOf(me, title).getByRole('link').click();
    await expect(me.answer).toHaveText(/\S/);
    await choose(me, title, 'chat.delete');
    await page.goto(address);
    await expect(page.getByText(say('chat.missingTitle'))).toBeVisible();
  });
}

test(
  'a conversation that is deleted elsewhere while its page is opened is not shown',
  long('its rules have tests without a browser'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    await me.ask(`${BRIEFLY}Gamma`);
    await me.rest();
    const id = new URL(page.url()).pathname.split('/')[3];
    await page.route('**/api/live', async (route) => {
      await expect(me.answer).toHaveText(/\S/);
      await page.request.delete(`/api/conversations/${id}`);
      await route.continue();
    });
    await page.reload();
    await expect(page.getByText(say('chat.missingTitle'))).toBeVisible();
    await expect(me.turns).toHaveCount(0);
  },
);

for (const { language, title } of journeys(
  'search finds words in titles and messages, marks them, and opens the place',
)) {
  test(title, long('tests of the search hold most of it'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    const id = await begin(me, `${BRIEFLY}怎样腌制京都的山椒小鱼 sansho`);
    await begin(me, `${BRIEFLY}别的话题 unrelated`);
    const found = async () => {
      const response = await page.request.get('/api/conversations/search?q=山椒小鱼');
      return ((await response.json()) as { hits: unknown[] }).hits.length;
    };
    await expect.poll(found).toBeGreaterThan(1);
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: say('chat.searchLabel') });
    await expect(field).toBeFocused();
    await field.fill('没有这样的词');
    await expect(page.getByText(say('chat.searchNone'))).toBeVisible();
    await field.fill('山椒小鱼');
    const hits = page.getByRole('option');
    await expect(hits.first()).toBeVisible();
    await expect(hits.locator('mark').first()).toHaveText('山椒小鱼');
    const prompt = hits.filter({ hasText: say('chat.wherePrompt') });
    await expect(prompt).toHaveCount(1);
    for (let left = await hits.count(); left > 0; left -= 1) {
      if ((await prompt.getAttribute('aria-selected')) === 'true') break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/${language}/chat/${id}`);
    await expect(me.turns.first()).toBeFocused();
    await expect.poll(() => page.evaluate(() => CSS.highlights.get('found')?.size ?? 0)).toBeGreaterThan(0);
  });
}

for (const { language, title } of journeys(
  'a temporary conversation is in no list and no search, and can be kept',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    const toggle = page.getByRole('button', { name: say('chat.temporary') });
    await toggle.click();
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByText(say('chat.temporaryText'))).toBeVisible();
    await me.ask(`${BRIEFLY}悄悄话`);
    await me.rest();
    await expect(page.getByText(say('chat.temporaryTag'), { exact: true })).toBeVisible();
    await expect(listOf(me)).toContainText(say('chat.conversationsEmpty'));
    await page.reload();
    await expect(me.answer).toHaveText(/\S/);
    await expect(listOf(me)).toContainText(say('chat.conversationsEmpty'));
    await page.getByRole('button', { name: say('chat.temporaryKeep'), exact: true }).click();
    await expect(rowOf(me, '悄悄话')).toBeVisible();
    await expect(page.getByText(say('chat.temporaryTag'), { exact: true })).toBeHidden();
  });
}

test(
  'a row that comes is seen to come, unless less motion is asked for',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page } = me;
    await me.signUp();
    await page.evaluate(() => {
      const come: string[] = [];
      Object.assign(globalThis, { come });
      document.addEventListener('transitionrun', ({ target, propertyName }) => {
        if (target instanceof HTMLLIElement && propertyName === 'opacity') come.push(target.textContent);
      });
    });
    const come = () => page.evaluate(() => (globalThis as unknown as { come: string[] }).come);
    await begin(me, 'One', BRIEFLY);
    await expect(rowOf(me, 'One')).toBeVisible();
    await me.ask(`${BRIEFLY}Two`);
    await me.rest();
    await expect.poll(async () => (await come()).filter((text) => text.includes('Two'))).toHaveLength(1);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByRole('link', { name: me.say('chat.newConversation') }).click();
    await expect(page).toHaveURL(/\/chat$/);
    await me.ask('/emulate http-400 Three');
    await expect(rowOf(me, 'Three')).toBeVisible();
    expect((await come()).filter((text) => text.includes('Three'))).toEqual([]);
  },
);

test(
  'the list is worked by keyboard alone',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    await begin(me, 'Alpha');
    await begin(me, 'Beta');
    const links = listOf(me).getByRole('link');
    await expect(links).toHaveText(['Beta', 'Alpha']);
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(links.last()).toBeFocused();
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: say('chat.renameLabel') });
    await expect(field).toBeFocused();
    await page.keyboard.type('Nothing of this');
    await page.keyboard.press('Escape');
    await expect(links).toHaveText(['Beta', 'Alpha']);
    await expect(links.last()).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(links).toHaveText(['Beta']);
  },
);

test(
  'a conversation is exported as Markdown and as JSON',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    await me.ask(`${BRIEFLY}导出我`);
    await me.rest();
    const [message] = await me.stored();
    for (const [key, ending] of [
      ['chat.exportMarkdown', '.md'],
      ['chat.exportJson', '.json'],
    ] as const) {
      await me.titleButton.click();
      const coming = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: say(key) }).click();
      const download = await coming;
      expect(download.suggestedFilename().endsWith(ending)).toBe(true);
      const text = readFileSync(await download.path(), 'utf8');
      expect(text).toContain('导出我');
      expect(text).toContain((message?.response ?? '').slice(0, 5));
    }
  },
);

test(
  'conversations of other days stand under their days',
  long('its rules have tests without a browser'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    const day = 24 * 3600 * 1000;
    const now = Date.now();
    const ages = [0, 1, 4, 400];
    await page.route('**/api/conversations', (route) =>
      route.fulfill({
        json: {
          conversations: ages.map((age, index) => ({
            id: `01920000-0000-7000-8000-00000000000${index}`,
            title: `${age} 天前`,
            createdAt: now - age * day,
            updatedAt: now - age * day,
            pinnedAt: null,
            archivedAt: null,
            temporary: false,
          })),
          nextCursor: null,
        },
      }),
    );
    await me.signUp();
    const headings = listOf(me).getByRole('heading');
    await expect(headings).toHaveCount(4);
    await expect(headings.nth(0)).toHaveText(say('chat.groupToday'));
    await expect(headings.nth(1)).toHaveText(say('chat.groupYesterday'));
    await expect(headings.nth(2)).toHaveText(say('chat.groupWeek'));
    await expect(headings.nth(3)).toHaveText(/^20\d\d\s年\s\d{1,2}\s月$/);
  },
);

test(
  'of thousands of conversations only those near the window are drawn, and arrow keys and scrolling reach all',
  long('a chat of thousands is for a release'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page } = me;
    const now = Date.now();
    const count = 3_000;
    await page.route('**/api/conversations', (route) =>
      route.fulfill({
        json: {
          conversations: Array.from({ length: count }, (_, index) => ({
            id: `01920000-0000-7000-8000-${String(index).padStart(12, '0')}`,
            title: `Talk ${index + 1}`,
            createdAt: now - index,
            updatedAt: now - index,
            pinnedAt: now - index,
            archivedAt: null,
            temporary: false,
          })),
          nextCursor: null,
        },
      }),
    );
    await me.signUp();
    const rows = listOf(me).getByRole('listitem');
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(count));
    expect(await rows.count()).toBeLessThan(250);
    const scroller = listOf(me).locator('[data-scroller]');
    const height = await scroller.evaluate((box) => box.scrollHeight);
    expect(height).toBeGreaterThan(count * 40);
    await rows.first().getByRole('link').focus();
    for (let pressed = 0; pressed < 120; pressed += 1) await page.keyboard.press('ArrowDown');
    await expect(listOf(me).getByRole('link', { name: 'Talk 121', exact: true })).toBeFocused();
    await scroller.evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await expect(rows.last()).toHaveAttribute('aria-posinset', String(count));
    await expect(listOf(me).getByRole('link', { name: 'Talk 121', exact: true })).toBeFocused();
    expect(await rows.count()).toBeLessThan(350);
    expect(await scroller.evaluate((box) => box.scrollHeight)).toBe(height);
  },
);
