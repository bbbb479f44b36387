import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import { chooseModel, showEnd } from './frame-page.ts';

const TEXTS = { zh, en };

export type Language = keyof typeof TEXTS;

/** A picture with the way to it. */
export interface Scene {
  name: string;
  /** Leads from the scene before to this one. */
  play(page: Page, language: Language): Promise<void>;
}

const QUESTIONS = {
  zh: {
    table: '北京去上海，高铁、飞机、自驾怎么选？列一张表格',
    plan: '写一份周末去杭州的计划',
    image: '画一座雾里的茶山，清晨，远处有一间小屋',
  },
  en: {
    table: 'Train, plane or car? Compare them in a table',
    plan: 'Plan a weekend in Kyoto for me',
    image: 'Draw a tea hill in the morning mist with a cabin far away',
  },
};

/** What a message with files is about: a contract, a photographed page, prices. */
const PAPERS = {
  zh: {
    contract: '采购合同.pdf',
    text: '<h1>采购合同</h1><p>甲方应当在收到货物之日起十五个工作日内完成验收，并以书面形式通知乙方验收结果。逾期未通知的，视为验收合格。</p>',
    photo: '第三章.jpg',
    page: '<h2>第三章 秋</h2><p>山路上的枫叶红了一半，风从谷里吹上来，带着一点凉意。</p>',
    prices: '价格.csv',
    rows: '品名,数量,单价\n钢管,120,35.5\n弯头,60,12\n阀门,18,240\n',
    question: '验收要几天？照片里这一页讲了什么？这张表合计多少？',
  },
  en: {
    contract: 'Purchase agreement.pdf',
    text: '<h1>Purchase agreement</h1><p>The buyer shall inspect the goods within fifteen working days of delivery and give notice of the result in writing. Without notice the goods count as accepted.</p>',
    photo: 'Chapter 3.jpg',
    page: '<h2>3. Autumn</h2><p>Half of the maples along the path had turned red, and a cool wind came up from the valley.</p>',
    prices: 'Prices.csv',
    rows: 'Item,Quantity,Price\nPipe,120,35.5\nElbow,60,12\nValve,18,240\n',
    question: 'How long is acceptance? What is on the photographed page? What do these prices add up to?',
  },
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
    name: 'chat-files',
    async play(page, language) {
      const { question, contract, photo, prices } = PAPERS[language];
      await page.goto(`/${language}/chat`);
      await page.locator('[data-files]').setInputFiles(await papers(page, language));
      for (const name of [contract, photo, prices]) {
        const remove = TEXTS[language].files.remove.replace('{{name}}', name);
        await page.getByRole('button', { name: remove, exact: true }).waitFor();
      }
      await composer(page, language).fill(question);
      await page.locator('form [type=submit]:enabled').waitFor();
    },
  },
  {
    name: 'chat-files-asked',
    async play(page, language) {
      await composer(page, language).press('Enter');
      await page.getByRole('article').waitFor();
      await page.getByRole('button', { name: TEXTS[language].chat.send, exact: true }).waitFor();
      await showEnd(page);
    },
  },
  {
    name: 'chat-file-viewed',
    async play(page, language) {
      await page.getByRole('article').getByRole('button', { name: PAPERS[language].prices }).click();
      await page.getByRole('dialog').getByRole('table').waitFor();
    },
  },
  {
    name: 'chat-answered',
    async play(page, language) {
      await page.context().clearCookies();
      await signUp(page, language);
      await ask(page, language, QUESTIONS[language].table);
      await page.getByRole('button', { name: TEXTS[language].chat.send, exact: true }).waitFor();
      await showEnd(page);
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
      await page.goto(`/profile/details?lang=${language}`);
      await page.getByText(TEXTS[language].profile.lastLogin).waitFor();
    },
  },
  {
    name: 'profile-index',
    async play(page, language) {
      await page.goto(`/profile?lang=${language}`);
      await page.getByRole('button', { name: TEXTS[language].profile.logout, exact: true }).waitFor();
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
        .getByText(/\d\sCredits/)
        .waitFor();
    },
  },
];

/** Of those whose plan includes a model that draws. */
export const IMAGE_SCENE: Scene = {
  name: 'chat-image',
  async play(page, language) {
    await page.goto(`/${language}/chat`);
    await chooseModel(page, language, 'Flash Image');
    await composer(page, language).fill(QUESTIONS[language].image);
    await page.locator('form [type=submit]:enabled').waitFor();
    await page.getByText(TEXTS[language].quote.pending, { exact: true }).waitFor({ state: 'hidden' });
    await composer(page, language).press('Enter');
    await page.getByRole('article').getByRole('figure').getByRole('img').first().waitFor();
    await page.getByRole('button', { name: TEXTS[language].chat.send, exact: true }).waitFor();
    await showEnd(page);
  },
};

async function signUp(page: Page, language: Language) {
  const email = `lin.${randomUUID().slice(0, 8)}@example.com`;
  await page.request.post('/api/auth/sign-up/email', {
    data: { email, password: 'correct horse', name: 'Lin' },
  });
  const listed = page.waitForResponse((response) => response.url().endsWith('/api/conversations'));
  await page.goto(`/${language}/chat`);
  await page.getByRole('button', { name: /Flash$/ }).waitFor();
  await listed;
}

/** The files of `PAPERS`, as a browser prints, photographs and exports them. */
async function papers(page: Page, language: Language) {
  const { contract, text, photo, page: leaf, prices, rows } = PAPERS[language];
  const other = await page.context().newPage();
  await other.setContent(text);
  const printed = await other.pdf({ format: 'A4' });
  await other.setViewportSize({ width: 700, height: 900 });
  await other.setContent(
    `<body style="background:#e9dfca;color:#1b1a17;font:26px/1.7 serif;padding:48px">${leaf}</body>`,
  );
  const taken = await other.screenshot({ type: 'jpeg', quality: 85 });
  await other.close();
  return [
    { name: contract, mimeType: 'application/pdf', buffer: printed },
    { name: photo, mimeType: 'image/jpeg', buffer: taken },
    { name: prices, mimeType: 'text/csv', buffer: Buffer.from(rows) },
  ];
}

function composer(page: Page, language: Language) {
  return page.getByRole('textbox', { name: TEXTS[language].chat.prompt });
}

async function ask(page: Page, language: Language, question: string) {
  await composer(page, language).fill(question);
  await composer(page, language).press('Enter');
  await page.getByRole('button', { name: TEXTS[language].chat.stop, exact: true }).waitFor();
}
