import type { Page } from '@playwright/test';
import en from '#i18n/en/common.json' with { type: 'json' };
import zh from '#i18n/zh/common.json' with { type: 'json' };
import type { Language, Scene } from './chat-scenes.ts';

const TEXTS = { zh, en };

/** What a user sees of buying a plan, after the scenes of the chat. */
export const PAYMENT_SCENES: Scene[] = [
  {
    name: 'subscription-left',
    async play(page, language) {
      const orderId = await beginPurchase(page, language);
      await page.locator('button[name=act][value=abandon]').click();
      await page.goto(`/${language}/subscription?order=${orderId}`);
      await page.getByText(TEXTS[language].subscription.returnNothing).waitFor();
    },
  },
  {
    name: 'subscription-confirming',
    async play(page, language) {
      const orderId = await beginPurchase(page, language);
      await page.goto(`/${language}/subscription?order=${orderId}`);
      await page.getByRole('heading', { name: TEXTS[language].subscription.returnConfirmTitle }).waitFor();
    },
  },
  {
    name: 'subscription-paid',
    async play(page, language) {
      await beginPurchase(page, language);
      await page.locator('button[name=act][value=pay]').click();
      await page.getByRole('heading', { name: TEXTS[language].subscription.returnPaidTitle }).waitFor();
      await page.getByRole('button', { name: TEXTS[language].subscription.cancel }).waitFor();
    },
  },
  {
    name: 'subscription-cancel',
    async play(page, language) {
      await page.getByRole('button', { name: TEXTS[language].subscription.cancel }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'pricing-with-plan',
    async play(page, language) {
      await page.goto(`/${language}/pricing`);
      await page.getByText(TEXTS[language].pricing.current).first().waitFor();
    },
  },
  {
    name: 'orders-list',
    async play(page, language) {
      await page.goto(`/${language}/orders`);
      await page.getByRole('table').waitFor();
    },
  },
  {
    name: 'orders-receipt',
    async play(page, language) {
      const { receipt } = TEXTS[language].orders;
      await page.getByRole('link', { name: new RegExp(`^${receipt}`) }).click();
      await page.getByRole('article').waitFor();
    },
  },
  {
    name: 'credits-statement',
    async play(page, language) {
      await page.goto(`/${language}/credits`);
      await page.getByRole('table').waitFor();
    },
  },
];

/**
 * Begins the purchase of a plan by the month and opens the provider's page, which leads back to a page in `language`; the same
 * order until it is decided.
 */
export async function beginPurchase(
  page: Page,
  language: Language,
  planKey: 'gemini_basic' | 'gemini_pro' = 'gemini_basic',
  provider: 'creem' | 'bagelpay' = 'bagelpay',
): Promise<string> {
  const data = { provider, planKey, cycle: 'monthly' };
  const headers = { 'accept-language': language };
  const response = await page.request.post('/api/createCheckout', { data, headers });
  const { redirectUrl, orderId } = (await response.json()) as { redirectUrl: string; orderId: string };
  await page.goto(redirectUrl);
  return orderId;
}
