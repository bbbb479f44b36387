import type { Cycle, PlanKey } from '#contract/billing.ts';
import type { Language, Provider } from '#contract/choices.ts';
import { creditsAfter, PLAN_TITLES } from '#test/billing/plan-prices.ts';
import { long } from './long.ts';
import { act, billingOf } from './purchase.ts';
import { type ProductWithClock, test } from './start-product-with-clock.ts';
import { variants } from './texts.ts';
import { BRIEFLY, expect, type Visitor } from './visitor.ts';

const HOUR = 3_600_000;

// One product for all of them: each starts in a few seconds.
test.describe.configure({ mode: 'default' });

interface Life {
  language: Language;
  provider: Provider;
  planKey: PlanKey;
  cycle: Cycle;
}

const LIVES: readonly Life[] = [
  { language: 'zh', provider: 'creem', planKey: 'gemini_pro', cycle: 'monthly' },
  { language: 'en', provider: 'bagelpay', planKey: 'gemini_basic', cycle: 'annual' },
  { language: 'en', provider: 'creem', planKey: 'gemini_pro', cycle: 'annual' },
  { language: 'zh', provider: 'bagelpay', planKey: 'gemini_basic', cycle: 'monthly' },
];

/** From the page of prices to the provider's page. */
async function chooseAtPricing(me: Visitor, { language, provider, planKey, cycle }: Life) {
  const { page, say } = me;
  await page.goto(`/${language}/pricing`);
  await page.getByRole('radio', { name: say(`plan.${cycle}`) }).check();
  await page.getByRole('radio', { name: provider, exact: false }).check();
  await page
    .getByRole('button', { name: say('pricing.buy', { plan: PLAN_TITLES[planKey][language] }) })
    .click();
}

/** The same from the page of the subscription, whose buttons say where they lead. */
async function proceedToPay(me: Visitor, { language, provider, planKey, cycle }: Life) {
  const { page, say } = me;
  await page.goto(`/${language}/subscription`);
  await page.getByRole('radio', { name: say(`plan.${cycle}`) }).check();
  await page.getByRole('radio', { name: provider, exact: false }).check();
  const heading = page.getByRole('heading', { name: new RegExp(`^${PLAN_TITLES[planKey][language]}`) });
  const card = page.getByRole('listitem').filter({ has: heading });
  await card.getByRole('button', { name: say('subscription.pay') }).click();
}

/** What a buyer does on the provider's page. */
async function payWith({ page }: Visitor, product: ProductWithClock, provider: Provider, card: string) {
  await page.waitForURL((url) => url.origin === product[provider]);
  await page.locator('input[name=card]').fill(card);
  await act(page, 'pay');
}

async function openModels(me: Visitor) {
  await me.page.goto(`/${me.language}/chat`);
  await me.modelButton.click();
  return me.page.getByRole('menuitemradio', { name: 'Gemini 2.5 Pro' });
}

async function expectRightsOf(me: Visitor, planKey: PlanKey | null) {
  const model = await openModels(me);
  if (planKey === 'gemini_pro') await expect(model).toBeEnabled();
  else {
    await expect(model).toBeDisabled();
    await expect(model).toContainText(me.say('chat.modelUpgrade'));
  }
}

for (const life of variants(LIVES, 1)) {
  const { language, provider, planKey, cycle } = life;
  test(`${language}: ${planKey} ${cycle} at ${provider}, from signing up to being on Free again`, async ({
    visitor,
    product,
  }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.register();
    await me.expectCredits(40);
    await expectRightsOf(me, null);
    const other = await me.openTab(`/${language}/chat`);
    await other.expectCredits(40);

    await (cycle === 'monthly' ? chooseAtPricing : proceedToPay)(me, life);
    await payWith(me, product, provider, '4242 4242 4242 4242');
    await expect(page).toHaveURL(new RegExp(`/${language}/subscription\\?order=[0-9a-f-]{36}`));
    await expect(page.getByRole('heading', { name: say('subscription.returnPaidTitle') })).toBeVisible();
    const paid = creditsAfter(planKey, cycle);
    for (const one of [me, other]) await one.expectCredits(paid);
    await other.page.close();

    await expectRightsOf(me, planKey);
    if (planKey === 'gemini_pro') await page.getByRole('menuitemradio', { name: 'Gemini 2.5 Pro' }).click();
    else await page.keyboard.press('Escape');
    await me.ask(BRIEFLY + (language === 'zh' ? '你好' : 'Hello'));
    await me.rest();
    const cost = planKey === 'gemini_pro' ? 12 : 15;
    await expect(me.turns.last()).toContainText(`${cost} Credits`);
    const left = paid - cost;
    expect(await me.balance()).toBe(left);

    await page.goto(`/${language}/subscription`);
    await page.getByRole('button', { name: say('subscription.cancel') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('subscription.cancelConfirm') })
      .click();
    await expect.poll(async () => (await billingOf(me)).subscriptions[0]?.renews).toBe(false);
    const { expiresAt } = await billingOf(me);
    const end = expiresAt ?? 0;
    await product.moveTo(end - HOUR);
    // Weeks later the session is over.
    await me.signIn();
    await expect.poll(async () => (await billingOf(me)).active).toBe(true);
    // After a year the free credits are over, which were spent first; what the plan brought is not.
    await expect.poll(() => me.balance()).toBe(cycle === 'monthly' ? left : left + cost - 40);

    await product.moveTo(end + HOUR);
    await me.signIn();
    await expect.poll(async () => (await billingOf(me)).active).toBe(false);
    await expectRightsOf(me, null);
    await me.expectCredits(40);
    await page.goto(`/${language}/subscription`);
    await expect(
      page.getByText(say('subscription.expired', { plan: PLAN_TITLES[planKey][language] })).first(),
    ).toBeVisible();
    await product.moveTo(end + 40 * 24 * HOUR);
    await me.signIn();
    expect(await me.balance()).toBe(40);
  });
}

/** What a declined card comes to: BagelPay reports it, and Creem says nothing of a page that may still be paid. */
const DECLINES = [
  {
    language: 'zh',
    provider: 'bagelpay',
    said: '发卡行拒绝',
    ours: ['subscription.returnFailedTitle', 'subscription.returnDeclined'],
  },
  {
    language: 'en',
    provider: 'creem',
    said: 'declined by the bank',
    ours: ['subscription.returnConfirmTitle', 'subscription.returnConfirmText'],
  },
] as const;

for (const { language, provider, said, ours } of variants(DECLINES, 1)) {
  test(
    `${language}: ${provider}: a declined card changes nothing, another one pays once`,
    long('its rules have tests on the server'),
    async ({ visitor, product }) => {
      const me = visitor(language);
      const { page, say } = me;
      await me.register();
      await chooseAtPricing(me, { language, provider, planKey: 'gemini_basic', cycle: 'monthly' });
      await payWith(me, product, provider, '4000 0000 0000 0002');
      await expect(page.getByRole('alert')).toContainText(said);
      const ordersOf = async () => {
        const response = await page.request.get('/api/orders');
        return ((await response.json()) as { orders: { id: string; status: string }[] }).orders;
      };
      const [order] = await ordersOf();
      const back = await me.openTab(`/${language}/subscription?order=${order?.id}`);
      for (const key of ours) await expect(back.page.getByText(say(key), { exact: true })).toBeVisible();
      await back.page.close();
      expect(await me.balance()).toBe(40);
      await payWith(me, product, provider, '4242 4242 4242 4242');
      await expect(page).toHaveURL(new RegExp(`/${language}/subscription\\?order=`));
      await expect(page.getByRole('heading', { name: say('subscription.returnPaidTitle') })).toBeVisible();
      await me.expectCredits(creditsAfter('gemini_basic', 'monthly'));
      expect((await ordersOf()).map(({ status }) => status)).toEqual(['paid']);
    },
  );
}
