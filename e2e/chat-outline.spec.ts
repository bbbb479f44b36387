import type { Page } from '@playwright/test';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, test } from './visitor.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** Where the greeting, what it says of the price, the bar and the box of the composer are drawn: `x y width height` of each. */
function places(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const greeting = [...document.querySelectorAll('h2.headline')].find((each) => each.checkVisibility());
    const field = document.querySelector('[data-composer]')?.closest('form');
    const box =
      field ?? [...document.querySelectorAll('.border-edge')].find((each) => each.checkVisibility());
    const bars = [...document.querySelectorAll('.h-14.border-b')].filter((each) => each.checkVisibility());
    return [greeting, greeting?.nextElementSibling, box, ...bars].map((each) => {
      const { x, y, width, height } = each?.getBoundingClientRect() ?? {};
      return `${x} ${y} ${width} ${height}`;
    });
  });
}

for (const { language, title } of journeys('the chat stands where the built page has drawn its outline')) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.openAccount();
    await page.goto(`/${language}`);
    await expect(page.getByRole('link', { name: say('nav.login') })).toHaveCount(0);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>();
      await page.route('**/api/me', async (route) => {
        await isSeen;
        await route.continue();
      });
      await page.goto(`/${language}/chat`);
      await page.evaluate(() => document.fonts.ready);
      await expect(page.getByText(say('chat.emptyTitle'))).toBeVisible();
      await expect(me.composer).toHaveCount(0);
      const before = await places(page);
      goOn();
      await expect(me.modelButton).toBeEnabled();
      expect(await places(page), `${size.width} px`).toEqual(before);
      await page.unrouteAll();
    }
  });
}
