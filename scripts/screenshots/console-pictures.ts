import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import type { Enrolment } from '#contract/accounts/second-factor.ts';
import type { UserScreen } from '#contract/admin/screens.ts';
import type { MessagePage } from '#contract/chat.ts';
import { LANGUAGES } from '#contract/choices.ts';
import en from '#i18n/en/common.json' with { type: 'json' };
import { openConnection } from '#server/admin/copies/open-connection.ts';
import { reachPostgres } from '#server/platform/postgres/reach-postgres.ts';
import { type Filled, insertConsoleRows } from './console-rows.ts';
import { showWhole, writeWebp } from './frame-page.ts';
import { beginPurchase } from './payment-scenes.ts';
import type { Product } from './start-product.ts';

const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
/** Those that `docs/operations.md` shows. */
const IN_DOCS = [
  'console-today-zh-light-1280',
  'console-today-en-dark-390',
  'console-user-en-light-1280',
  'console-ledger-zh-light-390',
  'console-orders-zh-light-1280',
  'console-margin-en-light-1280',
];
const PASSWORD = 'correct horse';
const OPERATOR = 'wang.lei@parley.example';
const FREE = 40;
/** Who bought what and asks whom. */
const CUSTOMERS = [
  { email: 'lin.xia@example.com', plan: 'gemini_basic', models: ['gemini-2.5-flash', 'parley-flash'] },
  { email: 'maya.patel@example.com', plan: 'gemini_pro', models: ['gemini-2.5-pro', 'parley-pro'] },
  { email: 'chen.yu@example.com', plan: 'gemini_basic', models: ['gemini-2.5-flash-lite'] },
] as const;

/**
 * Takes pictures of the console into `folder`, in each language, theme and size, and those of the documentation into `docs`;
 * `docsOnly`: no others.
 */
export async function takeConsolePictures(
  browser: Browser,
  product: Product,
  { folder, docs, docsOnly }: { folder: string; docs: string; docsOnly: boolean },
): Promise<void> {
  const { state, filled } = await prepare(browser, product);
  const scenes: Record<string, (page: Page) => Promise<void>> = {
    today: (page) => open(page, ''),
    user: (page) => open(page, `/users/${filled.userId}`),
    ledger: async (page) => {
      await open(page, '/ledger');
      await page.locator('main section button').first().click();
      await page.locator('main section button[aria-busy]').waitFor({ state: 'hidden' });
      await page.locator('main [role=status]:not(:empty)').waitFor();
    },
    orders: async (page) => {
      await open(page, '/orders');
      await page.locator('main section button').last().click();
      await page.locator('main h3').waitFor();
    },
    margin: (page) => open(page, '/margin'),
  };
  for (const language of LANGUAGES)
    for (const colorScheme of THEMES)
      for (const viewport of SIZES) {
        const look = `${language}-${colorScheme}-${viewport.width}`;
        if (docsOnly && !IN_DOCS.some((name) => name.endsWith(look))) continue;
        const context = await browser.newContext({
          baseURL: product.url,
          storageState: state,
          colorScheme,
          viewport,
          reducedMotion: 'reduce',
          locale: language === 'zh' ? 'zh-CN' : 'en',
        });
        const page = await context.newPage();
        await page.goto(`/admin?lang=${language}`);
        for (const [scene, play] of Object.entries(scenes)) {
          const name = `console-${scene}-${look}`;
          if (docsOnly && !IN_DOCS.includes(name)) continue;
          await play(page);
          await showWhole(page);
          await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
          if (!IN_DOCS.includes(name)) continue;
          await writeWebp(await page.screenshot(), `${docs}/${name}.webp`);
        }
        await context.close();
      }
}

async function open(page: Page, path: string) {
  await page.goto(`/admin${path}`);
  await page.locator('main h2').first().waitFor();
}

/** Customers who buy and ask, an operator, and what a bad day leaves of it. */
async function prepare(browser: Browser, { url, dataDir }: Product) {
  const database = await reachPostgres(dataDir);
  const orders: string[] = [];
  const pages: Page[] = [];
  for (const { email, plan } of CUSTOMERS) {
    const page = await signUp(browser, url, email);
    orders.push(await beginPurchase(page, 'en', plan, 'creem'));
    await page.locator('button[name=act][value=pay]').click();
    await page.getByText(en.subscription.returnPaidTitle).waitFor();
    pages.push(page);
  }
  const operator = await signUp(browser, url, OPERATOR);
  await openConnection(database.url, async (sql) => {
    await sql`update users set email_verified = true where email = ${OPERATOR}`;
    await sql`insert into operators (user_id, made_at) select id, now() from users where email = ${OPERATOR}`;
  });
  const enrolment = await operator.request.post('/api/me/second-factor/enrolment');
  const { secret } = (await enrolment.json()) as Enrolment;
  await operator.request.post('/api/me/second-factor', {
    data: { code: TOTP.generate({ secret: Secret.fromBase32(secret) }) },
  });
  const ids = [];
  for (const [index, { email, models }] of CUSTOMERS.entries()) {
    const { users } = await read<{ users: { id: string }[] }>(operator, `/api/admin/users?find=${email}`);
    const userId = users[0]?.id ?? '';
    ids.push(userId);
    // What is asked from now on was paid.
    const act = { act: 'take', userId, credits: FREE };
    await operator.request.post('/api/admin/acts', {
      data: { id: randomUUID(), reason: 'Given twice', act },
    });
    const page = pages[index];
    if (page) for (const model of models) await ask(page, model);
  }
  const [userId = ''] = ids;
  const { charges } = await read<UserScreen>(operator, `/api/admin/users/${userId}`);
  const paymentKey = charges[0]?.paymentKey ?? '';
  const filled: Filled = {
    userId,
    orderId: orders[0] ?? '',
    transactionId: paymentKey.slice(paymentKey.indexOf(':') + 1),
  };
  await openConnection(database.url, (sql) => insertConsoleRows(sql, filled));
  const state = await operator.context().storageState();
  for (const page of [...pages, operator]) await page.context().close();
  return { state, filled };
}

async function signUp(browser: Browser, baseURL: string, email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL, locale: 'en' })).newPage();
  const name = email.split(/[.@]/)[0] ?? '';
  await page.request.post('/api/auth/sign-up/email', { data: { email, password: PASSWORD, name } });
  return page;
}

async function read<T>(page: Page, path: string): Promise<T> {
  return (await (await page.request.get(path)).json()) as T;
}

/** Asks a question and waits for the end of its answer. */
async function ask(page: Page, model: string): Promise<void> {
  const conversationId = randomUUID();
  const content = '/emulate max-tokens How are you?';
  await page.request.post('/api/messages', {
    data: { id: randomUUID(), conversationId, parentId: null, model, content },
  });
  for (;;) {
    const { messages } = await read<MessagePage>(page, `/api/messages?conversationId=${conversationId}`);
    if (messages.every(({ status }) => status !== 'running')) return;
    await sleep(200);
  }
}
