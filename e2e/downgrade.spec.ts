import { amountOf, PLAN_TITLES } from '#test/billing/plan-prices.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { act, beginPurchase, billingOf, buy } from './purchase.ts';
import { expect, test } from './visitor.ts';

const [PRICE_ZH, PRICE_EN] = [
  amountOf('zh', 'gemini_basic', 'monthly'),
  amountOf('en', 'gemini_basic', 'monthly'),
];
const PROVIDER_PAGE = /\/\/127\.0\.0\.1:\d+\//;

test(
  'zh: a lower plan charges nothing today, and says what it means to have it sooner',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    const [basic, pro] = [PLAN_TITLES.gemini_basic.zh, PLAN_TITLES.gemini_pro.zh];
    await me.signUp();
    await buy(me, { planKey: 'gemini_pro', cycle: 'monthly', provider: 'creem' });
    await expect.poll(async () => (await billingOf(me)).subscriptions[0]?.canCancel).toBe(true);
    await page.goto('/zh/pricing?cycle=monthly&provider=creem');
    const button = page.getByRole('button', { name: say('pricing.downgrade', { plan: basic }) });
    await button.click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText('今天不扣款');
    await expect(dialog).toContainText(`可以付 ${PRICE_ZH}，改为基础版（按月）`);
    await expect(dialog).toContainText(`今天付 ${PRICE_ZH}`);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: say('pricing.laterConfirm') }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: say('pricing.noted') })).toBeDisabled();
    await expect(page.getByText(/今天不扣款。.*可以付 \$/).filter({ hasText: PRICE_ZH })).toBeVisible();
    const status = await billingOf(me);
    expect(status).toMatchObject({ planKey: 'gemini_pro', active: true, cancelAtPeriodEnd: true });
    expect(status.wish).toMatchObject({ planKey: 'gemini_basic', cycle: 'monthly', open: false });
    await page.goto('/zh/subscription');
    await expect(page.getByText(/今天不扣款，现在的套餐可用到/)).toContainText(
      `可以在这里付 ${PRICE_ZH}，改为${basic}`,
    );
    await expect(page.getByRole('button', { name: say('subscription.resume') })).toBeVisible();
    await expect(page.getByText(pro).first()).toBeVisible();
  },
);

test(
  'en: who wants a lower plan sooner is led to pay for it today',
  long('its rules have tests on the server'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    await buy(me, { planKey: 'gemini_pro', cycle: 'monthly', provider: 'bagelpay' });
    await page.goto('/en/pricing?cycle=monthly&provider=bagelpay');
    await page
      .getByRole('button', { name: say('pricing.downgrade', { plan: PLAN_TITLES.gemini_basic.en }) })
      .click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('pricing.soonerConfirm', { amount: PRICE_EN }) })
      .click();
    await page.waitForURL(PROVIDER_PAGE);
  },
);

test(
  'en: the return page says that a card was declined, and pays again with another one',
  long('`payments.spec.ts` declines a card'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page, say } = me;
    await me.signUp();
    const orderId = await beginPurchase(me, {
      planKey: 'gemini_basic',
      cycle: 'monthly',
      provider: 'bagelpay',
    });
    await page.locator('button[name=act][value=decline]').click();
    await page.goto(`/en/subscription?order=${orderId}`);
    await expect(page.getByRole('heading', { name: say('subscription.returnFailedTitle') })).toBeVisible();
    await expect(page.getByText(say('subscription.returnDeclined'))).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: say('subscription.returnRetry') }).click();
    await page.waitForURL(PROVIDER_PAGE);
    await act(page, 'pay');
    await expect(page.getByRole('heading', { name: say('subscription.returnPaidTitle') })).toBeVisible();
  },
);
