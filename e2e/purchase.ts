import type { Page } from '@playwright/test';
import type { BillingStatus, Checkout, CheckoutAnswer } from '#contract/billing.ts';
import { expect, type Visitor } from './visitor.ts';

/** What the buyer does at the provider's own page. */
export function act(page: Page, name: 'pay' | 'abandon'): Promise<void> {
  return page.locator(`button[name=act][value=${name}]`).click();
}

/** Begins a purchase without its button and opens the provider's page; returns the id of the order. */
export async function beginPurchase({ page, language }: Visitor, wanted: Checkout): Promise<string> {
  const headers = { 'accept-language': language };
  const response = await page.request.post('/api/createCheckout', { data: wanted, headers });
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
