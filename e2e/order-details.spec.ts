import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { act, beginPurchase, buy } from './purchase.ts';
import { journeys } from './texts.ts';
import { expect, test } from './visitor.ts';

for (const { language, title } of journeys(
  'an order that was not paid has details and nothing to print, one that was paid has a receipt',
)) {
  test(title, long('`subscription-pages.spec.ts` reads the same order'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    const terms = { cycle: 'monthly', provider: 'bagelpay' } as const;
    const unpaid = await beginPurchase(me, { planKey: 'gemini_basic', ...terms });
    await act(page, 'abandon');
    await page.goto(`/${language}/orders/${unpaid}`);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText(say('orders.detailsTitle'));
    await expect(page.getByRole('article')).toContainText(say('orders.status.abandoned'));
    const print = page.getByRole('button', { name: say('orders.print') });
    await expect(print).toHaveCount(0);
    await expectAccessible(page);
    const paid = await buy(me, { planKey: 'gemini_pro', ...terms });
    await page.goto(`/${language}/orders/${paid}`);
    await expect(heading).toHaveText(say('orders.receiptTitle'));
    await expect(print).toBeVisible();
    await expectAccessible(page);
  });
}
