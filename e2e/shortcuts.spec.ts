import { long } from './long.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, test } from './visitor.ts';

for (const { language, title } of journeys(
  'the shortcuts work, and a sheet lists them and switches single keys off',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    const list = page.getByRole('navigation', { name: say('chat.conversations') });
    await me.composer.fill('?');
    await expect(me.composer).toHaveValue('?');
    await me.composer.blur();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: say('chat.keys') });
    await expect(sheet).toBeVisible();
    await expect(sheet).toContainText(say('chat.keyNewLine'));
    await sheet.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await page.getByRole('region', { name: say('chat.messages') }).focus();
    await page.keyboard.press('?');
    await page.keyboard.press('/');
    await expect(sheet).toBeHidden();
    await expect(me.composer).not.toBeFocused();
    await page.keyboard.press('Shift+Escape');
    await expect(me.composer).toBeFocused();

    await page.keyboard.press('Control+Shift+S');
    await expect(list).toBeHidden();
    await page.keyboard.press('Control+Shift+S');
    await expect(list).toBeVisible();
    await me.ask(`${BRIEFLY}Hello`);
    await me.rest();
    await page.keyboard.press('Control+Shift+O');
    await expect(page).toHaveURL(`/${language}/chat`);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
  });
}

test(
  'the palette stays open where the first message of a conversation arrives meanwhile',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page } = me;
    await me.signUp();
    const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>();
    await page.route('**/api/messages', async (route) => {
      await arrives;
      await route.continue();
    });
    await me.ask(`${BRIEFLY}Hello`);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox');
    await expect(palette).toBeFocused();
    arrive();
    await expect(me.answer).toHaveText(/\S/);
    await expect(palette).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
    await expect(page).toHaveURL(/\/en\/chat\/[0-9a-f-]{36}$/);
    await me.rest();
  },
);

test(
  'an answer that takes long to begin says so, and that stopping is free',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    await me.page.clock.install();
    await me.signUp();
    await me.ask('/emulate slow-first-token ms=60000 等等我');
    await expect(me.page.getByText(me.say('chat.thinking'), { exact: true })).toBeVisible();
    await expect(me.page.getByText(me.say('chat.slow'))).toBeHidden();
    await me.page.clock.fastForward(12_000);
    await expect(me.page.getByText(me.say('chat.slow'))).toBeVisible();
    await me.stopButton.click();
    await me.rest();
    await me.expectCredits(40);
  },
);

test(
  'on paper there is the whole conversation and nothing else',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page } = me;
    await me.signUp();
    await me.ask('/emulate long-answer characters=1500 写长一点');
    await me.rest();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(me.composer).toBeHidden();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    const cut = await page
      .locator('section[data-scroller]')
      .evaluate((box) => box.scrollHeight - box.clientHeight);
    expect(cut).toBeLessThanOrEqual(1);
  },
);
