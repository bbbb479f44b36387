import { journeys } from './texts.ts';
import { expect, lettersOf, test } from './visitor.ts';

const QUESTION = {
  zh: '/emulate long-answer characters=1800 ms=15000 怎样写一份好的周报？',
  en: '/emulate long-answer characters=1800 ms=15000 How do I write a good weekly report?',
};
const NEXT = {
  zh: '/emulate long-answer characters=400 第二个问题：今天天气好吗？',
  en: '/emulate long-answer characters=400 A second question: is the weather fine?',
};

for (const { language, title } of journeys(
  'a stranger signs up, asks, reloads midway, looks from a second tab and signs out',
)) {
  test(title, async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.register();
    await me.expectCredits(40);
    await expect(page.getByText(say('chat.emptyCost', { cost: 15 }))).toBeVisible();
    await expect(me.sendButton).toBeDisabled();
    const form = page.locator('form', { has: me.composer });
    const { ink, ground } = await form.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return { ink: color, ground: backgroundColor };
    });
    await expect(me.composer).toBeFocused();
    await expect(form).not.toHaveCSS('border-top-color', ink);
    await expect(me.sendButton).toHaveCSS('background-color', ground);
    await expect(me.sendButton).toHaveCSS('opacity', '1');
    await me.composer.fill('?');
    await expect(me.sendButton).not.toHaveCSS('background-color', ground);

    await me.ask(QUESTION[language]);
    await expect(page.getByText(say('chat.thinking'), { exact: true })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/${language}/chat/[0-9a-f-]{36}$`));
    await me.expectCredits(25);
    await expect(me.answer).toHaveText(/\S/);
    const early = await me.letters();
    await expect.poll(async () => (await me.letters()).length).toBeGreaterThan(early.length + 20);
    await expect(me.stopButton).toBeVisible();

    await page.reload();
    await expect.poll(() => me.letters()).toContain(early);
    await expect(me.stopButton).toBeVisible();
    const other = await me.openTab(page.url());
    await expect.poll(() => other.letters()).toContain(early);
    await Promise.all([me.rest(), other.rest()]);
    const [message] = await me.stored();
    expect(message).toMatchObject({ status: 'completed', creditsUsed: 15, modelType: 'parley-flash' });
    expect(await me.letters()).toBe(lettersOf(message?.response ?? ''));
    expect(await other.letters()).toBe(await me.letters());
    await expect(me.turns.last()).toContainText('15 Credits');
    await me.expectCredits(25);

    await other.ask(NEXT[language]);
    await expect(me.turns).toHaveCount(2);
    await expect(me.turns.last()).toContainText(NEXT[language]);
    await me.expectCredits(10);
    await Promise.all([me.rest(), other.rest()]);
    expect(await other.letters()).toBe(await me.letters());

    await page.getByRole('button', { name: say('nav.accountMenu') }).click();
    await page.getByRole('menuitem', { name: say('nav.logout') }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: say('nav.register') })).toBeVisible();
    await expect(other.page.getByText(say('chat.signedOutTitle'), { exact: true })).toBeVisible();
    await expect(other.page.getByText(say('chat.signedOutText'), { exact: true })).toBeVisible();
  });
}
