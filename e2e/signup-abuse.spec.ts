import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, test } from './visitor.ts';

for (const { language, title } of journeys('who gets no free credits reads why in the statement')) {
  test(title, long('its rules have tests on the server'), async ({ visitor, page }) => {
    const me = visitor(language);
    const name = me.email.split('@')[0];
    await me.openAccount(`${name}@mailinator.com`);
    await page.goto(`/${language}/credits`);
    await expect(page.getByText(me.say('statement.withheld.disposable'))).toBeVisible();
    expect(await me.balance()).toBe(0);

    await page.context().clearCookies();
    await me.openAccount(`${name}+one@example.com`);
    expect(await me.balance()).toBe(40);
    await page.context().clearCookies();
    await me.openAccount(`${name}+two@example.com`);
    await page.goto(`/${language}/credits`);
    await expect(page.getByText(me.say('statement.withheld.address_unproved'))).toBeVisible();
    expect(await me.balance()).toBe(0);
  });
}
