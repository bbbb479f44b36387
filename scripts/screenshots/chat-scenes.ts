import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };

const TEXTS = { zh, en };

export type Language = keyof typeof TEXTS;

interface Scene {
  name: string;
  /** Leads from the scene before to this one. */
  play(page: Page, language: Language): Promise<void>;
}

const QUESTIONS = {
  zh: { table: '用一张表格比较三种排序算法', plan: '写一份周末去杭州的计划' },
  en: { table: 'Compare three sorting algorithms in a table', plan: 'Plan a weekend in Kyoto for me' },
};

/** What somebody who has just signed up sees of the chat and of the account, one after the other. */
export const CHAT_SCENES: Scene[] = [
  {
    name: 'chat-empty',
    async play(page, language) {
      await page.request.post('/api/auth/sign-up/email', {
        data: {
          email: `lin.${randomUUID().slice(0, 8)}@example.com`,
          password: 'correct horse',
          name: 'Lin',
        },
      });
      await page.goto(`/${language}/chat`);
      await composer(page, language).waitFor();
    },
  },
  {
    name: 'chat-answered',
    async play(page, language) {
      await ask(page, language, QUESTIONS[language].table);
      await page.getByRole('button', { name: TEXTS[language].chat.send, exact: true }).waitFor();
    },
  },
  {
    name: 'chat-models',
    async play(page) {
      await page.getByRole('button', { name: /Flash/ }).click();
      await page.getByRole('menuitemradio').first().waitFor();
    },
  },
  {
    name: 'chat-answering',
    async play(page, language) {
      await page.keyboard.press('Escape');
      await ask(page, language, QUESTIONS[language].plan);
      await page
        .locator('.answer')
        .last()
        .filter({ hasText: /[\s\S]{90}/ })
        .waitFor();
    },
  },
  {
    name: 'chat-out-of-credits',
    async play(page, language) {
      await page.goto(`/${language}/chat`);
      await composer(page, language).fill(language === 'zh' ? '还能再问一条吗？' : 'One more?');
    },
  },
  {
    name: 'profile-signed-in',
    async play(page, language) {
      await page.goto(`/profile?lang=${language}`);
      await page.getByRole('table').waitFor();
    },
  },
  {
    name: 'subscription-signed-in',
    async play(page, language) {
      await page.goto(`/${language}/subscription`);
      await page
        .getByRole('banner')
        .getByText(/\d Credits/)
        .waitFor();
    },
  },
];

function composer(page: Page, language: Language) {
  return page.getByRole('textbox', { name: TEXTS[language].chat.prompt });
}

async function ask(page: Page, language: Language, question: string) {
  await composer(page, language).fill(question);
  await composer(page, language).press('Enter');
  await page.getByRole('button', { name: TEXTS[language].chat.stop, exact: true }).waitFor();
}
