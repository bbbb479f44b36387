import type { Receipt } from '#contract/billing.ts';
import { LANGUAGES } from '#contract/choices.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { act, beginPurchase, billingOf, buy } from './purchase.ts';
import { test } from './start-product-with-clock.ts';
import { variants } from './texts.ts';
import { expect } from './visitor.ts';

const TERMS = { provider: 'creem', cycle: 'monthly' } as const;
const SUPPORT = 'support@parley.example';

for (const language of variants(LANGUAGES, 1)) {
  test(
    `${language}: who pays on an open page while a dispute is open is told that it waits, and not to buy again`,
    long('its rules have tests on the server'),
    async ({ visitor, product }) => {
      const me = visitor(language);
      const { page, say } = me;
      await me.register();
      const first = await buy(me, { planKey: 'gemini_basic', ...TERMS });
      const second = await beginPurchase(me, { planKey: 'gemini_pro', ...TERMS });
      const { charges } = (await (await page.request.get(`/api/orders/${first}`)).json()) as Receipt;
      const body = JSON.stringify({ transaction: charges[0]?.transactionId });
      expect((await fetch(`${product.creem}/__control/dispute`, { method: 'POST', body })).status).toBe(200);
      await expect.poll(async () => (await billingOf(me)).checkoutBlocked).toBe('disputed');
      await product.moveBy(2 / (24 * 60));
      await act(page, 'pay');
      await expect(page).toHaveURL(new RegExp(`order=${second}`));
      await expect(page.getByRole('heading', { name: say('subscription.uncreditedTitle') })).toBeVisible();
      const { uncredited } = await billingOf(me);
      const told = page.locator('section[aria-labelledby=outcome]');
      const words = { provider: 'Creem', email: SUPPORT, reference: uncredited[0]?.reference ?? '' };
      await expect(told).toContainText(say('subscription.uncreditedDisputed', words));
      await expect(page.getByText(say('subscription.blocked', { email: SUPPORT }))).toBeVisible();
      await expectAccessible(page);
      await page.goto(`/${language}/subscription`);
      await expect(me.alerts.filter({ hasText: words.reference })).toHaveText(
        say('subscription.uncreditedDisputed', words),
      );
    },
  );
}
