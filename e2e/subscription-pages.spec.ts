import type { Page } from '@playwright/test';
import { brandName, DEFAULT_BRAND } from '#contract/brand.ts';
import type { Spending } from '#contract/credits.ts';
import { orderNumber } from '#contract/order-number.ts';
import { formatDay } from '#i18n/formats.ts';
import { amountOf, creditsAfter, creditsOf, PLAN_TITLES } from '#test/billing/plan-prices.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { act, beginPurchase, billingOf, buy } from './purchase.ts';
import { journeys } from './texts.ts';
import { expect, PASSWORD, test, Visitor } from './visitor.ts';

const { gemini_basic: BASIC, gemini_pro: PRO } = PLAN_TITLES;
const PROVIDER_PAGE = /\/\/127\.0\.0\.1:\d+\//;
const STRANGE_ORDERS = ['0199ffff-ffff-7fff-bfff-ffffffffffff', 'nonsense', '%3Cscript%3E'];

async function expectNothingSticksOut(page: Page) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(page.viewportSize()?.width);
}

for (const { language, title } of journeys(
  'who is not signed in is asked to, and comes back to the same plan, cycle and provider',
)) {
  test(title, long('a detail of the page that seldom breaks'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.openAccount();
    await page.context().clearCookies();
    await page.goto(`/${language}/pricing`);
    await page.getByRole('radio', { name: say('plan.monthly') }).check();
    await page.getByRole('radio', { name: 'BagelPay' }).check();
    await page.getByRole('button', { name: say('pricing.buy', { plan: PRO[language] }) }).click();
    await expect(me.alerts).toHaveText(language === 'zh' ? '请先登录' : 'Please sign in first');
    await page.getByLabel(say('account.email')).fill(me.email);
    await page.getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
    await page.getByLabel(say('account.password'), { exact: true }).press('Enter');
    await expect(page).toHaveURL(/\/pricing\?/);
    const button = page.getByRole('button', { name: say('pricing.buy', { plan: PRO[language] }) });
    await expect(button).toBeFocused();
    await expect(page.getByRole('radio', { name: say('plan.monthly') })).toBeChecked();
    await expect(page.getByRole('radio', { name: 'BagelPay' })).toBeChecked();
    await button.press('Enter');
    await page.waitForURL(PROVIDER_PAGE);
  });
}

for (const { language, title } of journeys(
  'a checkout that cannot be created says so and can be tried again',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp('pricing');
    await page.route('**/api/createCheckout', (route) => route.abort());
    const button = page.getByRole('button', { name: say('pricing.buy', { plan: BASIC[language] }) });
    await button.click();
    const prefix = language === 'zh' ? '创建支付会话失败：' : 'Failed to create checkout: ';
    await expect(me.alerts).toHaveText(prefix + say('pricing.unreachable'));
    await expect(button).toBeEnabled();
    await page.unroute('**/api/createCheckout');
    await button.click();
    await page.waitForURL(PROVIDER_PAGE);
    await page.goBack();
    await expect(button).toBeEnabled();
  });
}

for (const { language, title } of journeys(
  'bought, cancelled in two clicks and resumed, with every state in words',
)) {
  test(
    title,
    long('`payments.spec.ts` buys and cancels, and resuming has tests on the server'),
    async ({ visitor }) => {
      const me = visitor(language);
      const { page, say } = me;
      const plan = PRO[language];
      await me.signUp();
      await me.composer.fill('1, 2, 3');
      await page.goto(`/${language}/subscription`);
      await buy(me, { planKey: 'gemini_pro', cycle: 'monthly', provider: 'creem' });
      await me.expectCredits(creditsAfter('gemini_pro', 'monthly'));
      await expectAccessible(page);
      await expect(
        page.getByText(say('subscription.active', { plan, cycle: say('subscription.cycle.monthly') }), {
          exact: true,
        }),
      ).toBeVisible();

      await page.getByRole('button', { name: say('subscription.cancel') }).click();
      const dialog = page.getByRole('alertdialog');
      const { expiresAt } = await billingOf(me);
      await expect(dialog).toContainText(formatDay(language, expiresAt ?? 0));
      await expectAccessible(page);
      await dialog.getByRole('button', { name: say('subscription.cancelConfirm') }).click();
      await expect(dialog).toBeHidden();
      await expect.poll(async () => (await billingOf(me)).subscriptions[0]?.renews).toBe(false);
      await me.expectCredits(creditsAfter('gemini_pro', 'monthly'));

      await page.getByRole('button', { name: say('subscription.resume') }).click();
      await expect(page.getByRole('button', { name: say('subscription.cancel') })).toBeVisible();
      await expect.poll(async () => (await billingOf(me)).subscriptions[0]?.renews).toBe(true);

      await page.getByRole('button', { name: say('subscription.manage') }).click();
      await page.waitForURL(PROVIDER_PAGE);
      await page.goBack();
      await page.getByRole('link', { name: say('subscription.returnChat') }).click();
      await expect(me.composer).toHaveValue('1, 2, 3');
    },
  );
}

for (const { language, title } of journeys(
  'orders, a receipt that prints and the statement tell the same purchase',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp('orders');
    await expect(page.getByText(say('orders.empty'))).toBeVisible();
    await expectAccessible(page);
    await buy(me, { planKey: 'gemini_basic', cycle: 'annual', provider: 'bagelpay' });
    const amount = amountOf(language, 'gemini_basic', 'annual');
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNothingSticksOut(page);

    await page.getByRole('link', { name: say('subscription.orders') }).click();
    await expect(page.getByRole('table')).toContainText(amount);
    await expectNothingSticksOut(page);
    const shown = await page.getByText(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/).textContent();
    await page.getByRole('link', { name: new RegExp(`^${say('orders.receipt')}`) }).click();
    const receipt = page.getByRole('article');
    const number = orderNumber({ id: page.url().split('/').pop() ?? '' });
    expect(shown).toBe(number);
    const seller = `${brandName(DEFAULT_BRAND, language)} · ${DEFAULT_BRAND.supportEmail}`;
    for (const text of ['BagelPay', me.email, amount, 'ORD_', number, seller])
      await expect(receipt).toContainText(text);
    await expectNothingSticksOut(page);
    await expectAccessible(page);
    await page.emulateMedia({ media: 'print' });
    for (const part of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByRole('button')])
      await expect(part.first()).toBeHidden();
    await page.emulateMedia({ media: null });
    await page.reload();
    await expect(receipt).toContainText('ORD_');

    await page.goto(`/${language}/credits`);
    await expectNothingSticksOut(page);
    await expectAccessible(page);
    await expect(page.getByRole('row')).toHaveCount(3);
    await page.getByLabel(say('statement.filter')).selectOption('charge');
    await expect(page.getByText(say('statement.emptyKind'))).toBeVisible();
    await page.getByLabel(say('statement.filter')).selectOption('grant');
    await page.getByRole('button', { name: say('statement.details') }).click();
    await page.getByRole('link', { name: say('statement.toOrder') }).click();
    const credits = creditsOf('gemini_basic', 'annual').toLocaleString('en-US');
    await expect(receipt).toContainText(`${credits} Credits`);

    const main = page.getByRole('main');
    await main.getByRole('link', { name: say('orders.title') }).click();
    await expect(page).toHaveURL(`/${language}/orders`);
    await page.setViewportSize({ width: 1280, height: 800 });
    const index = page.getByRole('navigation', { name: say('accountPages.label') });
    const billing = say('accountPages.profile/billing');
    for (const path of ['orders', 'subscription']) {
      await page.goto(`/${language}/${path}`);
      await expect(index.locator('[aria-current]')).toHaveText(billing);
      await main.getByRole('link', { name: billing }).first().click();
      await expect(page).toHaveURL(/\/profile\/billing/);
    }
  });
}

test(
  'a payment that was declined or left costs nothing, and says so',
  long('`payments.spec.ts` declines a card'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp('pricing');
    const orderId = await beginPurchase(me, {
      planKey: 'gemini_basic',
      cycle: 'monthly',
      provider: 'bagelpay',
    });
    await act(page, 'abandon');
    await page.goto(`/zh/subscription?order=${orderId}`);
    await expect(page.getByText(say('subscription.returnNothing'))).toBeVisible();
    const what = say('orders.name', { plan: '基础版', cycle: say('subscription.cycle.monthly') });
    const again = say('subscription.returnAgain', { what, amount: '$6.90' });
    await expect(page.getByRole('button', { name: again, exact: true })).toBeVisible();
    for (const choice of [say('plan.monthly'), 'BagelPay'])
      await expect(page.getByRole('radio', { name: choice, exact: true })).toBeChecked();
    await expectAccessible(page);
    await me.expectCredits(40);
  },
);

test(
  'an order that is not paid yet is waited for calmly, and turns by itself',
  long('another journey goes most of the same way'),
  async ({ visitor, context }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp('pricing');
    const orderId = await beginPurchase(me, { planKey: 'gemini_basic', cycle: 'monthly', provider: 'creem' });
    const waiting = await context.newPage();
    await waiting.goto(`/en/subscription?order=${orderId}`);
    await expect(waiting.getByText(say('subscription.returnConfirmTitle'))).toBeVisible();
    await expect(waiting.getByText(say('subscription.returnConfirmText'))).toBeVisible();
    await act(page, 'pay');
    await expect(waiting.getByRole('heading', { name: say('subscription.returnPaidTitle') })).toBeVisible();
    await new Visitor(waiting, 'en').expectCredits(creditsAfter('gemini_basic', 'monthly'));
  },
);

test(
  "somebody else's order, and nonsense, show the page as if nothing was asked",
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp('pricing');
    for (const order of STRANGE_ORDERS) {
      await page.goto(`/zh/subscription?order=${order}`);
      await expect(page.getByText(say('subscription.orders'))).toBeVisible();
      await expect(page.locator('#outcome')).toHaveCount(0);
      await expect(me.alerts).toHaveCount(0);
    }
    await page.goto(`/zh/orders/${STRANGE_ORDERS[0]}`);
    await expect(page.getByText(say('orders.missingTitle'))).toBeVisible();
  },
);

test(
  'a line of the statement leads to its message',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp();
    await me.ask('/emulate max-tokens 你好');
    await me.expectCredits(25);
    await me.rest();
    const path = new URL(page.url()).pathname;
    await page.goto('/zh/credits');
    const line = page.getByRole('row').filter({ has: page.getByRole('button') });
    await expect(line).toContainText(me.ownModel('Flash'));
    await expect(line).toContainText('/emulate max-tokens 你好');
    await expect(page.getByText(say('statement.lots'), { exact: true }).locator('..')).toContainText(
      /\d\s日$/,
    );
    await line.getByRole('button', { name: say('statement.details') }).click();
    await page.getByRole('button', { name: say('statement.toMessage') }).click();
    await expect(page).toHaveURL(new RegExp(`${path}(\\?|$)`));
    await expect(me.turns).toHaveCount(1);
  },
);

test(
  'the page of somebody on the free plan says what they have, and its buttons always lead to payment',
  long('another journey goes most of the same way'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp('subscription');
    const panel = page.locator('section[aria-labelledby=status]');
    for (const key of ['free', 'freeUpdated', 'freeExpires', 'freeDaysNote'])
      await expect(panel).toContainText(say(`subscription.${key}`));
    await expect(panel.getByText(say('subscription.none'), { exact: true })).toHaveCount(0);
    const pay = page.getByRole('button', { name: say('subscription.pay') });
    await expect(pay).toHaveCount(2);
    await buy(me, { planKey: 'gemini_pro', cycle: 'monthly', provider: 'creem' });
    await page.goto('/zh/subscription?cycle=monthly&provider=creem');
    const cards = page.getByRole('listitem').filter({ has: pay });
    await expect(cards.last()).toContainText(say('pricing.current'));
    await expect(pay.last()).toBeDisabled();
    await expect(cards.last()).toContainText(say('plan.computerUse'));
    await expect(cards.first()).toContainText(say('plan.noComputerUse'));
    await expect(cards.first()).toContainText(say('plan.noPrioritySupport'));
  },
);

test(
  'a payment is news for some minutes, and until it was read',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await me.signUp('subscription');
    await buy(me, { planKey: 'gemini_basic', cycle: 'monthly', provider: 'creem' });
    const returned = page.url();
    const paid = page.getByRole('heading', { name: say('subscription.returnPaidTitle') });
    await page.getByRole('button', { name: say('subscription.returnSeen') }).click();
    await expect(paid).toBeHidden();
    await expect(page).toHaveURL('/zh/subscription');
    await page.goto(returned);
    await expect(paid).toBeVisible();
    await page.clock.setFixedTime(Date.now() + 11 * 60_000);
    await page.goto(returned);
    await expect(page.getByText(say('subscription.heldTitle'))).toBeVisible();
    await expect(paid).toBeHidden();
  },
);

test(
  'the statement draws the days on which something was spent, and says them in words',
  long('a detail of the page that seldom breaks'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    await page.route('**/api/credits/spending', (route) => {
      const at = (days: number) => new Date().setHours(0, 0, 0, 0) - days * 86_400_000;
      const quarters = [
        { at: at(3), credits: 45 },
        { at: at(0), credits: 15 },
      ];
      return route.fulfill({ json: { from: at(31), quarters } satisfies Spending });
    });
    await page.goto('/en/credits');
    const chart = page.getByRole('img', { name: /^60 Credits spent in the last 30 days; most on .+: 45$/ });
    await expect(chart).toBeVisible();
    await expect(page.getByText(say('statement.chartTotal', { days: 30, total: 60 }))).toBeVisible();
    await expectAccessible(page);
  },
);

test(
  'a card says what its Credits are in messages, and nothing moves between the cycles',
  long('its rules have tests without a browser'),
  async ({ page }) => {
    await page.goto('/en/pricing');
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Basic/ }) });
    await expect(card).toContainText('about 400 Parley Flash messages');
    const rows = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main li li, main li a, main li button')].map((one) =>
          Math.round(one.getBoundingClientRect().top),
        ),
      );
    const yearly = await rows();
    expect(yearly.length).toBeGreaterThan(12);
    await page.getByRole('radio', { name: 'Monthly' }).check();
    await expect(card).toContainText('about 33 Parley Flash messages');
    expect(await rows()).toEqual(yearly);
  },
);
