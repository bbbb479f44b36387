import type { Page } from '@playwright/test';
import { long } from './long.ts';
import { readSitemap } from './public-pages.ts';
import { journeys } from './texts.ts';
import { expect, test } from './visitor.ts';

/** The narrowest screen of WCAG 2.2, 1.4.10, and a desktop's at 200% zoom. */
const SCREENS = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
] as const;

/** Every section of the account. */
const ACCOUNT = ['', '/details', '/security', '/devices', '/billing', '/data', '/api'].map(
  (section) => `/profile${section}`,
);

/** What sticks out to the right of the screen, unless it lies in a box that scrolls by itself. */
async function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

/** Looks at the page that is open on each screen. */
async function expectToFit(page: Page, path: string) {
  for (const screen of SCREENS) {
    await page.setViewportSize(screen);
    expect(await sticksOut(page), `${path} at ${screen.width} px`).toEqual([]);
  }
}

for (const { language, title } of journeys('on small screens no page scrolls sideways')) {
  test(
    title,
    long('`accessibility.spec.ts` opens the chat and the account on a phone'),
    async ({ visitor, request }) => {
      const me = visitor(language);
      await me.page.setViewportSize(SCREENS[0]);
      const paths = await readSitemap(request);
      const own = [...ACCOUNT, `/${language}/orders`, `/${language}/credits`];
      for (const path of [...paths.filter((one) => `${one}/`.startsWith(`/${language}/`)), ...own]) {
        await me.page.goto(path);
        await expectToFit(me.page, path);
      }
      await me.signUp();
      await me.ask(language === 'zh' ? '给我看代码和表格' : 'Show me code and a table');
      await me.rest();
      await me.page
        .getByRole('banner')
        .getByText('25 Credits')
        .evaluate((balance) => {
          balance.lastChild?.replaceWith('18,000 Credits');
        });
      await expectToFit(me.page, 'the chat');
      await me.page.getByRole('button', { name: me.say('chat.conversationsShow') }).click();
      await expect(me.page.getByRole('dialog')).toBeVisible();
      await expectToFit(me.page, 'the drawer');
      for (const path of [...own, `/${language}/subscription`, `/${language}/pricing`]) {
        await me.page.goto(path);
        await me.expectCredits(25);
        await expectToFit(me.page, path);
      }
    },
  );
}
