import type { Page } from '@playwright/test';
import { LANGUAGES, type Language } from '#contract/choices.ts';
import { long } from './long.ts';
import { foreignTexts, pageTexts } from './page-texts.ts';
import { variants } from './texts.ts';
import { expect, test } from './visitor.ts';

/** What the reader and the model wrote is left out. */
async function expectOneLanguage(page: Page, language: Language) {
  const texts = await pageTexts(page, 'article, nav [aria-current]');
  expect(texts.length).toBeGreaterThan(5);
  expect(foreignTexts(texts, language)).toEqual([]);
}

for (const language of variants(LANGUAGES, 1)) {
  test(
    `${language}: the entrances and the chat speak one language`,
    long('texts are compared without a browser'),
    async ({ visitor }) => {
      const me = visitor(language);
      const { page, say } = me;
      for (const path of ['login', 'register', 'chat']) {
        await page.goto(`/${language}/${path}`);
        await expect(page.locator('html')).toHaveAttribute('lang', language === 'zh' ? 'zh-CN' : 'en');
        await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
        await expectOneLanguage(page, language);
      }
      await page.goto(`/${language}/register`);
      await page.getByRole('button', { name: say('account.registerSubmit'), exact: true }).click();
      await expect(me.alerts.first()).toBeVisible();
      await expectOneLanguage(page, language);

      await me.signUp();
      await expectOneLanguage(page, language);
      await me.ask('/emulate http-400 x');
      await expect(me.alerts).toBeVisible();
      await expectOneLanguage(page, language);
      await me.modelButton.click();
      await expect(page.getByRole('menuitemradio').first()).toBeVisible();
      await expectOneLanguage(page, language);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: say('nav.accountMenu') }).click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      await expectOneLanguage(page, language);
    },
  );
}

test(
  'an unknown language and an unknown path lead to Chinese',
  long('a detail of the page that seldom breaks'),
  async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL('/zh');
    await page.goto('/fr/login');
    await expect(page).toHaveURL('/zh/login');
    await page.goto('/no/such/page');
    await expect(page).toHaveURL(/\/zh(\/|$)/);
  },
);
