import type { Page } from '@playwright/test';
import { LANGUAGES, type Language } from './texts.ts';
import { expect, test } from './visitor.ts';

/** Texts on the page that are neither in an element of another language nor of the reader's or the model's making. */
async function visibleTexts(page: Page): Promise<string[]> {
  return page.locator('body').evaluate((body) => {
    const language = document.documentElement.lang;
    const texts: string[] = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (!parent || text === '' || parent.closest('script, style, article, nav [aria-current]')) continue;
      if (parent.closest('[lang]')?.getAttribute('lang') === language) texts.push(text);
    }
    for (const element of body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      if (element.closest('[lang]')?.getAttribute('lang') !== language) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        texts.push(element.getAttribute(name) ?? '');
    }
    return texts.filter((text) => text !== '');
  });
}

const FOREIGN: Record<Language, RegExp> = {
  zh: /[a-z]+ (?:[a-z]+ )+[a-z]+/,
  en: /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/,
};

async function expectOneLanguage(page: Page, language: Language) {
  const texts = await visibleTexts(page);
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => FOREIGN[language].test(text))).toEqual([]);
}

for (const language of LANGUAGES) {
  test(`${language}: the entrances and the chat speak one language`, async ({ visitor }) => {
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
  });
}

test('an unknown language and an unknown path lead to Chinese', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL('/zh');
  await page.goto('/fr/login');
  await expect(page).toHaveURL('/zh/login');
  await page.goto('/no/such/page');
  await expect(page).toHaveURL(/\/zh(\/|$)/);
});
