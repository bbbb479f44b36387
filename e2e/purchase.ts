import type { Page } from '@playwright/test';
import type { BillingStatus, Checkout, CheckoutAnswer, Cycle, PlanKey } from '#contract/billing.ts';
import type { Language } from '#contract/choices.ts';
import { formatMoney } from '#i18n/formats.ts';
import { FREE_CREDITS, PLANS, type Plan } from '#server/catalogue/plans.ts';
import { expect, type Visitor } from './visitor.ts';

function planOf(key: PlanKey): Plan {
  const plan = PLANS.find((one) => one.key === key);
  if (!plan) throw new Error(`there is no plan ${key}`);
  return plan;
}

const priceOf = (key: PlanKey, cycle: Cycle) => planOf(key).prices[cycle === 'monthly' ? 0 : 1];

export const PLAN_TITLES = {
  gemini_basic: planOf('gemini_basic').title,
  gemini_pro: planOf('gemini_pro').title,
};

/** What a cycle of a plan costs, as pages and mails write it. */
export function amountOf(language: Language, key: PlanKey, cycle: Cycle): string {
  return formatMoney(language, priceOf(key, cycle).totalCents, 'USD');
}

/** The Credits that a cycle of a plan brings. */
export function creditsOf(key: PlanKey, cycle: Cycle): number {
  return priceOf(key, cycle).credits;
}

/** What the header shows right after a first purchase: the free Credits with the plan's. */
export function creditsAfter(key: PlanKey, cycle: Cycle): number {
  return FREE_CREDITS + creditsOf(key, cycle);
}

/** What the buyer does at the provider's own page. */
export function act(page: Page, name: 'pay' | 'abandon'): Promise<void> {
  return page.locator(`button[name=act][value=${name}]`).click();
}

/** Begins a purchase without its button and opens the provider's page; returns the id of the order. */
export async function beginPurchase({ page }: Visitor, wanted: Checkout): Promise<string> {
  const response = await page.request.post('/api/createCheckout', { data: wanted });
  expect(response.status(), await response.text()).toBe(200);
  const { redirectUrl, orderId } = (await response.json()) as CheckoutAnswer;
  await page.goto(redirectUrl);
  return orderId;
}

/** The same, paid, with the return page saying so. */
export async function buy(me: Visitor, wanted: Checkout): Promise<string> {
  const orderId = await beginPurchase(me, wanted);
  await act(me.page, 'pay');
  await expect(me.page.getByRole('heading', { name: me.say('subscription.returnPaidTitle') })).toBeVisible();
  return orderId;
}

/** What the server says of a user's subscription. */
export async function billingOf({ page }: Visitor): Promise<BillingStatus> {
  return (await (await page.request.get('/api/subscription')).json()) as BillingStatus;
}
