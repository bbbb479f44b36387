import { amountOf, PLAN_TITLES } from '#test/billing/plan-prices.ts';
import { long } from './long.ts';
import { countMails, readMail } from './mailbox.ts';
import { billingOf, buy } from './purchase.ts';
import { test } from './start-product-with-clock.ts';
import { journeys } from './texts.ts';
import { expect } from './visitor.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

for (const { language, title } of journeys(
  'a purchase brings a receipt, its renewal a reminder, and its end the reason',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor, product, page }) => {
    const me = visitor(language);
    const { say } = me;
    await page.context().addCookies([{ name: 'lang', value: language, url: product.url }]);
    await me.signUp('pricing');
    const orderId = await buy(me, { provider: 'creem', planKey: 'gemini_basic', cycle: 'monthly' });

    const amount = amountOf(language, 'gemini_basic', 'monthly');
    const plan = say('orders.name', {
      plan: PLAN_TITLES.gemini_basic[language],
      cycle: say('subscription.cycle.monthly'),
    });
    const read = (subject: string | RegExp) => readMail(me.email, subject, product.mailbox);
    const receipt = await read(say('mail.receipt.subject', { plan }));
    expect(receipt.text).toContain(amount);
    expect(receipt.text).toContain(orderId);
    await page.goto(receipt.link(/\/orders\//));
    await expect(page.getByRole('heading', { name: say('orders.receiptTitle') })).toBeVisible();

    const firstEnd = (await billingOf(me)).expiresAt ?? 0;
    await product.moveTo(firstEnd - 3 * DAY + HOUR);
    const [before, after] = say('mail.renewalReminder.subject', { plan, date: '|' }).split('|');
    const reminder = await read(new RegExp(`${escapePattern(before ?? '')}.*${escapePattern(after ?? '')}`));
    expect(reminder.text).toContain(amount);
    await me.signIn();
    await page.goto(reminder.link(/\/subscription/));
    await expect(page.getByRole('heading', { level: 1, name: say('subscription.title') })).toBeVisible();
    const cancelled = await page.request.post('/api/subscription/cancel', { data: { orderId } });
    expect(cancelled.status(), await cancelled.text()).toBe(200);

    await product.moveTo(firstEnd + HOUR);
    const ended = await read(say('mail.planEnded.subject', { plan }));
    expect(ended.text).toContain(say('mail.planEnded.cancelled', { plan }));
    expect(await countMails(me.email, say('mail.receipt.subject', { plan }), product.mailbox)).toBe(1);
  });
}

function escapePattern(text: string): string {
  return text.replace(/[()（）.]/g, '\\$&');
}
