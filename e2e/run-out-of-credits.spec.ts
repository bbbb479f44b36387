import { creditsOf } from '#test/billing/plan-prices.ts';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { BRIEFLY, expect, test } from './visitor.ts';

const QUESTION = { zh: '你好', en: 'Hello' };
const LAST = { zh: '还有最后一问', en: 'One last question' };

for (const { language, title } of journeys(
  'too few credits is a pause: the draft stays, the price is named, a cheaper model goes on',
)) {
  test(title, async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await expect(page.getByRole('main').getByRole('link', { name: say('chat.buyCredits') })).toHaveCount(0);
    for (const left of [25, 10]) {
      if (left === 10) await expect(page.getByText(say('chat.lowNote', { count: 1 }))).toBeVisible();
      await me.ask(BRIEFLY + QUESTION[language]);
      await me.expectCredits(left);
      await me.rest();
    }
    const note = page.getByText(say('credits.insufficient'), { exact: true });
    const ink = await page.locator('body').evaluate((body) => getComputedStyle(body).color);
    await expect(note).toHaveCSS('color', ink);
    await expect(page.getByRole('banner')).toContainText(say('credits.low'));
    await me.composer.fill(LAST[language]);
    await expect(me.sendButton).toBeDisabled();
    await expect(me.sendButton).toHaveAccessibleDescription(new RegExp(say('credits.insufficient')));
    await me.composer.press('Enter');
    await expect(me.alerts).toHaveText(say('errors.insufficient_credits', { needed: 15 }));
    await expect(note).not.toHaveCSS('color', ink);
    await expect(me.composer).toHaveValue(LAST[language]);
    await expect(me.turns).toHaveCount(2);

    const path = new URL(page.url()).pathname;
    const least = { credits: creditsOf('gemini_basic', 'monthly'), price: '$6.9' };
    const plans = page.getByRole('link', { name: say('credits.plansMonthly', least) });
    await plans.click();
    await expect(page).toHaveURL(`/${language}/pricing?cycle=monthly`);
    await expect(page.getByText(least.price, { exact: true })).toBeVisible();
    await page.goto(path);
    await expect(me.composer).toHaveValue(LAST[language]);

    const cheaper = { model: 'Gemini 2.5 Flash-Lite', cost: 8, count: 1 };
    await page.getByRole('button', { name: say('chat.cheaper', cheaper) }).click();
    await expect(note).toBeHidden();
    await me.composer.press('Enter');
    await me.expectCredits(2);
    await me.rest();
    await expect(me.turns.last()).toContainText('Gemini 2.5 Flash-Lite');
    await expect(me.turns.last()).toContainText('8 Credits');
    expect(await me.balance()).toBe(2);
    await expect(note).toBeVisible();
    const nextFree = page.getByText(say('chat.nextFree', { date: '' }).replace(/[。.]$/, ''));
    await expect(nextFree).toContainText(/20\d\d/);
    await expect(plans).toBeVisible();
  });
}

for (const { language, title } of journeys(
  'a tab that does not know of the last spending is told by the server and keeps the draft',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    await me.page.route('**/api/live', (route) => route.abort());
    await me.signUp();
    await me.ask(BRIEFLY + QUESTION[language]);
    await me.expectCredits(25);
    await me.rest();
    const other = await me.openTab(`/${language}/chat`);
    await other.ask(BRIEFLY + QUESTION[language]);
    await other.rest();
    await other.expectCredits(10);

    await me.expectCredits(25);
    await me.ask(LAST[language]);
    await expect(me.alerts).toHaveText(me.say('errors.insufficient_credits', { needed: 15 }));
    await expect(me.composer).toHaveValue(LAST[language]);
    await me.expectCredits(10);
    await expect(me.page.locator('p', { hasText: me.say('credits.insufficient') })).toBeVisible();
    await expect(me.turns).toHaveCount(1);
  });
}
