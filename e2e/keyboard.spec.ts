import type { Locator, Page } from '@playwright/test';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, PASSWORD, test } from './visitor.ts';

/** Presses Tab until `target` has the focus; what has it must be seen to have it. */
async function tabTo(page: Page, target: Locator) {
  for (let left = 80; left > 0; left -= 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) {
      await expect(target).toBeInViewport();
      return;
    }
  }
  throw new Error(`Tab never reaches ${target}`);
}

for (const { language, title } of journeys(
  'the keyboard alone skips to the content, changes the theme and the language',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const { page, say } = visitor(language);
    await page.goto(`/${language}/pricing`);
    await expect(page.getByRole('radio').first()).toBeEnabled();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: say('nav.skip') })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    const annual = page.getByRole('radio', { name: say('plan.annual') });
    await tabTo(page, annual);
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('radio', { name: say('plan.monthly') })).toBeChecked();
    const footer = page.getByRole('contentinfo');
    await tabTo(page, footer.getByRole('radio', { name: say('theme.system') }));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.keyboard.press('Home');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await tabTo(page, page.getByRole('banner').getByRole('link', { name: say('language.other') }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/${language === 'zh' ? 'en' : 'zh'}/pricing?cycle=monthly`);
  });
}

for (const { language, title } of journeys(
  'the keyboard alone opens the menu of a phone, and goes on from it',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const { page, say } = visitor(language);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/${language}`);
    const button = page.getByRole('button', { name: say('nav.open') });
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog');
    await expect(sheet).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(sheet).toBeVisible();
    await tabTo(page, sheet.getByRole('link', { name: say('nav.pricing'), exact: true }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/${language}/pricing`);
    await expect(sheet).toBeHidden();
  });
}

for (const { language, title } of journeys('the keyboard alone signs up and asks a question')) {
  test(title, async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await page.goto(`/${language}/register`);
    await tabTo(page, page.getByLabel(say('account.email')));
    await page.keyboard.type(me.email);
    for (const field of ['account.password', 'account.confirmation']) {
      await tabTo(page, page.getByLabel(say(field), { exact: true }));
      await page.keyboard.type(PASSWORD);
    }
    await tabTo(page, page.getByRole('checkbox'));
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/${language}/chat`);
    await expect(me.composer).toBeEditable();
    if (!(await me.composer.evaluate((field) => field === document.activeElement))) {
      await tabTo(page, me.composer);
    }
    await page.keyboard.type(language === 'zh' ? '你好' : 'Hello');
    await expect(me.sendButton).toBeEnabled();
    await page.keyboard.press('Enter');
    await me.rest();
    await expect(me.turns).toHaveCount(1);
  });
}

for (const { language, title } of journeys(
  'the account menu opens at the first press of a key, though its code is still on its way',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    const gate = Promise.withResolvers<void>();
    await page.route('**/assets/account-menu-*.js', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await me.signUp();
    const button = page.getByRole('button', { name: say('nav.accountMenu') });
    const chosen = page.getByRole('menuitemradio', { checked: true });
    await tabTo(page, button);
    const box = await button.boundingBox();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem')).toHaveCount(0);
    gate.resolve();
    await expect(chosen).toBeFocused();
    expect(await button.boundingBox()).toEqual(box);
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await expect(page.getByRole('menuitem')).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(chosen).toBeFocused();
  });
}

for (const { language, title } of journeys(
  'what goes from a turn while it has the focus leaves the focus on the turn',
)) {
  test(title, long('tests in a document hold it for each button'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await page.evaluate(() => localStorage.setItem('chat.model', 'gemini-2.5-flash-lite'));
    await page.reload();
    await me.ask(`${BRIEFLY}One`);
    await me.rest();
    const turn = me.turns.first();
    const editor = turn.getByRole('textbox', { name: say('chat.editPrompt') });
    for (const key of ['Escape', 'Enter']) {
      await turn.getByRole('button', { name: say('chat.editPrompt'), exact: true }).press('Enter');
      await expect(editor).toBeFocused();
      await page.keyboard.press(key);
      await expect(editor).toBeHidden();
      await expect(turn).toBeFocused();
    }
    await me.rest();
    await turn.getByRole('button', { name: say('chat.regenerate'), exact: true }).press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(turn).toContainText('3/3');
    await expect(turn).toBeFocused();
  });
}
