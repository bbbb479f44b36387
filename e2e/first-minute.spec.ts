import type { Page, TestInfo } from '@playwright/test';
import { long } from './long.ts';
import { readMail } from './mailbox.ts';
import { startProductWithClock } from './start-product-with-clock.ts';
import { journeys, LOCALE } from './texts.ts';
import { expect, PASSWORD, test, Visitor } from './visitor.ts';

const QUESTION = { zh: '用三句话讲明白通货膨胀', en: 'Explain inflation in three sentences' };
const CHOOSER = { zh: { email: '邮箱', go: '继续' }, en: { email: 'Email', go: 'Continue' } };

/** Counts what a person does on the way: clicks, and fields that they fill. */
class Effort {
  clicks = 0;
  fields = 0;
  readonly from = performance.now();

  async click(act: Promise<void>) {
    await act;
    this.clicks += 1;
  }

  async type(act: Promise<void>) {
    await act;
    this.fields += 1;
  }

  get seconds(): number {
    return (performance.now() - this.from) / 1_000;
  }
}

/** The figures of README stand in the report of the test. */
function note({ annotations }: TestInfo, { clicks, fields, seconds }: Effort) {
  annotations.push({ type: 'first word', description: JSON.stringify({ clicks, fields, seconds }) });
}

function questionField({ page, say }: Visitor) {
  return page.getByRole('textbox', { name: say('home.ask') });
}

async function openHome(me: Visitor) {
  await me.page.goto(`/${me.language}`);
  await expect(me.page.getByRole('button', { name: me.say('home.askSubmit') })).toBeVisible();
}

/** Writes the first question on the home page and goes on to the registration. */
async function askAtHome(me: Visitor, effort = new Effort()) {
  await effort.type(questionField(me).fill(QUESTION[me.language]));
  await effort.click(me.page.getByRole('button', { name: me.say('home.askSubmit') }).click());
  await expect(me.page).toHaveURL(`/${me.language}/register`);
}

async function fillRegistration({ page, say, email }: Visitor, effort = new Effort()) {
  await effort.type(page.getByLabel(say('account.email')).fill(email));
  await effort.type(page.getByLabel(say('account.password'), { exact: true }).fill(PASSWORD));
  await effort.type(page.getByLabel(say('account.confirmation'), { exact: true }).fill(PASSWORD));
  await effort.click(page.getByRole('checkbox').check());
  await effort.click(page.getByRole('button', { name: say('account.registerSubmit'), exact: true }).click());
}

async function chooseAtGoogle(google: Page, { language, email }: Visitor, effort = new Effort()) {
  await google.waitForURL(/\/interaction\//);
  await effort.type(google.getByLabel(CHOOSER[language].email, { exact: true }).fill(email));
  await effort.click(google.getByRole('button', { name: CHOOSER[language].go }).click());
}

for (const { language, title } of journeys(
  'from the home page to the first word of an answer: few clicks, few fields, no word of money',
)) {
  test.describe(title, () => {
    test.use({ locale: LOCALE[language] });

    test('by password', async ({ visitor, page }, info) => {
      const me = visitor(language);
      await openHome(me);
      const effort = new Effort();
      await askAtHome(me, effort);
      await fillRegistration(me, effort);
      await expect(me.composer).toHaveValue(QUESTION[language]);
      await expect(me.sendButton).toBeEnabled();
      await expect(page.getByRole('link', { name: me.say('chat.buyCredits') })).toHaveCount(0);
      await effort.click(me.sendButton.click());
      await expect(me.answer).toHaveText(/\S/);
      expect(effort).toMatchObject({ clicks: 4, fields: 4 });
      note(info, effort);
    });

    test(
      'by Google',
      long('`google.spec.ts` signs somebody up by Google'),
      async ({ visitor, page }, info) => {
        const me = visitor(language);
        await openHome(me);
        const effort = new Effort();
        await askAtHome(me, effort);
        const popup = page.waitForEvent('popup');
        await effort.click(page.getByRole('button', { name: me.say('google.goOn') }).click());
        await chooseAtGoogle(await popup, me);
        await expect(me.composer).toHaveValue(QUESTION[language]);
        await effort.click(me.sendButton.click());
        await expect(me.answer).toHaveText(/\S/);
        expect(effort).toMatchObject({ clicks: 3, fields: 1 });
        note(info, effort);
      },
    );
  });
}

for (const { language, title } of journeys(
  'the first question comes along where the page itself goes to Google',
)) {
  test.describe(title, () => {
    test.use({ locale: LOCALE[language] });

    test('and back', long('`google.spec.ts` goes there and back'), async ({ visitor, page }) => {
      const me = visitor(language);
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await openHome(me);
      await askAtHome(me);
      await page.getByRole('button', { name: me.say('google.goOn') }).click();
      await chooseAtGoogle(page, me);
      await expect(me.composer).toHaveValue(QUESTION[language]);
      await page.reload();
      await expect(me.composer).toHaveValue(QUESTION[language]);
    });
  });
}

test(
  'logging in leads to the question too, and once it was sent it is gone',
  long('another journey goes most of the same way'),
  async ({ visitor, page }) => {
    const me = visitor('zh');
    await me.openAccount();
    await page.context().clearCookies();
    await openHome(me);
    await questionField(me).fill(QUESTION.zh);
    await page
      .getByRole('main')
      .getByRole('link', { name: me.say('home.logInNow') })
      .click();
    await page.getByLabel(me.say('account.email')).fill(me.email);
    await page.getByLabel(me.say('account.password'), { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: me.say('account.loginSubmit'), exact: true }).click();
    await expect(me.composer).toHaveValue(QUESTION.zh);
    await me.composer.press('Enter');
    await me.rest();
    await page.goto('/zh/chat');
    await expect(page.getByText(me.say('chat.emptyTitle'))).toBeVisible();
    await expect(me.composer).toHaveValue('');
    await page.goto('/zh');
    await expect(questionField(me)).toHaveValue('');
  },
);

test(
  'who is signed in finds the question in the composer of a new chat',
  long('another journey goes most of the same way'),
  async ({ visitor, page }) => {
    const me = visitor('en');
    await me.openAccount();
    await page.goto('/en');
    await questionField(me).fill(QUESTION.en);
    await page.getByRole('button', { name: me.say('home.askOpen') }).click();
    await expect(page).toHaveURL('/en/chat');
    await expect(me.composer).toHaveValue(QUESTION.en);
    await expect(me.turns).toHaveCount(0);
  },
);

test(
  'the question is nobody else’s: not another tab’s, not the next user’s',
  long('its rules have tests without a browser'),
  async ({ visitor, page }) => {
    const me = visitor('zh');
    await openHome(me);
    await questionField(me).fill(QUESTION.zh);
    await me.openAccount();
    const other = await me.openTab('/zh/chat');
    await expect(other.modelButton).toBeEnabled();
    await expect(other.composer).toHaveValue('');
    await page.goto('/zh/chat');
    await expect(me.composer).toHaveValue(QUESTION.zh);
    await page.getByRole('button', { name: me.say('nav.accountMenu') }).click();
    await page.getByRole('menuitem', { name: me.say('nav.logout') }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: me.say('nav.register') })).toBeVisible();
    await expect(questionField(me)).toHaveValue('');
    const next = new Visitor(page, 'zh', `next.${me.email}`);
    await next.signUp();
    await expect(next.composer).toHaveValue('');
  },
);

test(
  'the gate of the chat offers to sign up as well, and both lead back',
  long('another journey goes most of the same way'),
  async ({ visitor, page }) => {
    const me = visitor('en');
    await page.goto('/en/chat');
    await expect(page.getByText('Please log in', { exact: true })).toBeVisible();
    await expect(page.getByText('You need to log in to use AI chat', { exact: true })).toBeVisible();
    for (const key of ['nav.login', 'nav.register'])
      await expect(
        page.getByRole('main').getByRole('link', { name: me.say(key), exact: true }),
      ).toHaveAttribute('href', /\?next=%2Fen%2Fchat$/);
  },
);

test(
  'an empty chat has its composer near the middle, and starting points that can be changed before they are sent',
  long('a detail of the page that seldom breaks'),
  async ({ visitor, page }) => {
    const me = visitor('zh');
    await me.signUp();
    const box = await me.composer.boundingBox();
    expect(box?.y).toBeGreaterThan(800 * 0.35);
    expect(box?.y).toBeLessThan(800 * 0.65);
    const starters = page.getByRole('region', { name: me.say('chat.starters') }).getByRole('button');
    await expect(starters).toHaveCount(4);
    const text = (await starters.first().textContent()) ?? '';
    expect(text).toMatch(/\p{Script=Han}/u);
    await starters.first().click();
    await expect(me.composer).toHaveValue(text);
    await expect(me.composer).toBeFocused();
    await expect(me.turns).toHaveCount(0);
    await me.composer.press('Enter');
    await expect(me.turns).toHaveCount(1);
    await me.rest();
    await expect(starters).toHaveCount(0);
    const after = await me.composer.boundingBox();
    expect(after?.y).toBeGreaterThan(800 * 0.75);
  },
);

test(
  'starting points are others on another day',
  long('its rules have tests without a browser'),
  async ({ visitor, page }) => {
    const me = visitor('en');
    await page.clock.install({ time: new Date('2026-11-24T10:00:00') });
    await me.signUp();
    const starters = page.getByRole('region', { name: me.say('chat.starters') }).getByRole('button');
    const today = await starters.allTextContents();
    expect(today).toHaveLength(4);
    await page.clock.setSystemTime(new Date('2026-11-25T10:00:00'));
    await page.goto('/en/chat');
    await expect(starters).toHaveCount(4);
    const tomorrow = await starters.allTextContents();
    expect(tomorrow.filter((one) => today.includes(one))).toEqual([]);
  },
);

test(
  'where Credits wait for the address, the question is in the tab that the mail’s link opens too',
  long('another journey goes most of the same way'),
  async ({ browser }) => {
    const product = await startProductWithClock({ VERIFIED_EMAIL_REQUIRED: 'true' });
    try {
      const context = await browser.newContext({ baseURL: product.url, locale: LOCALE.en });
      const me = new Visitor(await context.newPage(), 'en');
      await openHome(me);
      await askAtHome(me);
      await fillRegistration(me);
      await expect(me.composer).toHaveValue(QUESTION.en);
      const mail = await readMail(
        me.email,
        me.say('mail.verifyEmail.subject', { brand: 'Parley' }),
        product.mailbox,
      );
      const tab = await me.openTab(mail.link(/verify-email/));
      await tab.page.getByRole('link', { name: me.say('account.goToChat') }).click();
      await expect(tab.composer).toHaveValue(QUESTION.en);
      await tab.expectCredits(40);
      await tab.composer.press('Enter');
      await expect(tab.answer).toHaveText(/\S/);
      await context.close();
    } finally {
      await product.stop();
    }
  },
);
