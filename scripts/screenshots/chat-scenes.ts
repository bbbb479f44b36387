import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };

const TEXTS = { zh, en };

export type Language = keyof typeof TEXTS;

/** A picture with the way to it. */
export interface Scene {
  name: string;
  /** Leads from the scene before to this one. */
  play(page: Page, language: Language): Promise<void>;
}

const QUESTIONS = {
  zh: { table: '北京去上海，高铁、飞机、自驾怎么选？列一张表格', plan: '写一份周末去杭州的计划' },
  en: { table: 'Train, plane or car? Compare them in a table', plan: 'Plan a weekend in Kyoto for me' },
};

/** What a new user sees of the chat and of the account, one after the other. */
export const CHAT_SCENES: Scene[] = [
  { name: 'chat-empty', play: signUp },
  {
    name: 'chat-answering',
    async play(page, language) {
      await ask(page, language, QUESTIONS[language].plan);
      const answer = page.getByRole('article').last().locator('.answer');
      await answer.filter({ hasText: /[\s\S]{90}/ }).waitFor();
    },
  },
  {
    name: 'chat-models',
    async play(page) {
      await page.getByRole('button', { name: /Flash$/ }).click();
      await page.getByRole('menuitemradio').first().waitFor();
    },
  },
  {
    name: 'chat-answered',
    async play(page, language) {
      await page.context().clearCookies();
      await signUp(page, language);
      await ask(page, language, QUESTIONS[language].table);
      await page.getByRole('button', { name: TEXTS[language].chat.send, exact: true }).waitFor();
    },
  },
  {
    name: 'chat-out-of-credits',
    async play(page, language) {
      await ask(page, language, QUESTIONS[language].plan);
      await page.goto(`/${language}/chat`);
      await page.getByText(TEXTS[language].credits.insufficient).waitFor();
    },
  },
  {
    name: 'profile-signed-in',
    async play(page, language) {
      await page.goto(`/profile?lang=${language}`);
      await page.getByText(TEXTS[language].profile.lastLogin).waitFor();
    },
  },
  {
    name: 'profile-security',
    async play(page, language) {
      await page.goto(`/profile/security?lang=${language}`);
      await page.getByRole('button', { name: TEXTS[language].twoFactor.turnOn }).waitFor();
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

async function signUp(page: Page, language: Language) {
  const email = `lin.${randomUUID().slice(0, 8)}@example.com`;
  await page.request.post('/api/auth/sign-up/email', {
    data: { email, password: 'correct horse', name: 'Lin' },
  });
  await page.goto(`/${language}/chat`);
  await page.getByRole('button', { name: /Flash$/ }).waitFor();
}

function composer(page: Page, language: Language) {
  return page.getByRole('textbox', { name: TEXTS[language].chat.prompt });
}

async function ask(page: Page, language: Language, question: string) {
  await composer(page, language).fill(question);
  await composer(page, language).press('Enter');
  await page.getByRole('button', { name: TEXTS[language].chat.stop, exact: true }).waitFor();
}
