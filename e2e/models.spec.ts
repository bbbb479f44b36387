import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, test } from './visitor.ts';

for (const { language, title } of journeys(
  'the menu shows every model with its price and whether it may be used',
)) {
  test(title, long('its rules have tests without a browser'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await me.modelButton.click();
    const model = (name: string) => page.getByRole('menuitemradio', { name });
    await expect(model(me.ownModel('Flash'))).toHaveAttribute('aria-checked', 'true');
    await expect(model(me.ownModel('Flash'))).toContainText(say('chat.modelPrice', { cost: 15 }));
    await expect(model('Gemini 2.5 Flash-Lite')).toBeEnabled();
    for (const [name, cost] of [
      [me.ownModel('Pro'), 20],
      ['Gemini 2.5 Pro', 12],
      ['Gemini Computer Use', 15],
    ] as const) {
      await expect(model(name)).toBeDisabled();
      await expect(model(name)).toContainText(say('chat.modelUpgrade'));
      await expect(model(name)).toContainText(say('chat.modelPrice', { cost }));
    }
    const coming = page.getByRole('menuitemradio').filter({ hasText: say('chat.modelComingSoon') });
    await expect(coming).toHaveCount(0);
    await page.getByRole('menuitem', { name: say('chat.modelsComingSoon', { count: 4 }) }).click();
    await expect(coming.first()).toBeDisabled();
    await expect(coming).toHaveCount(4);
    await expect(coming.first()).not.toContainText(say('chat.modelUpgrade'));
    await expect(model('Gemini 2.5 Pro')).toContainText(
      say('models.onlyTier', { plan: say('models.tier.pro') }),
    );
    await expect(page.getByRole('menuitem', { name: say('chat.modelPlans') })).toHaveAttribute(
      'href',
      `/${language}/pricing`,
    );
    await model('Gemini 2.5 Flash-Lite').click();
    await expect(page.getByText(say('chat.emptyCost', { cost: 8 }))).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: /Gemini 2.5 Flash-Lite$/ })).toBeVisible();
  });
}

for (const { language, title } of journeys(
  'a choice that is not allowed any more gives way to an allowed one, with a notice',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await page.addInitScript(() => localStorage.setItem('chat.model', 'parley-pro'));
    await me.signUp();
    await expect(me.modelButton).toBeVisible();
    const notice = say('chat.modelReset', { from: me.ownModel('Pro'), to: me.ownModel('Flash') });
    await expect(page.getByRole('status').filter({ hasText: notice })).toBeVisible();
    await expect(page.getByText(say('chat.emptyCost', { cost: 15 }))).toBeVisible();
  });
}

test(
  'the menu is worked by keyboard alone, and gives the focus back',
  long('`keyboard.spec.ts` and `conversation-list.spec.ts` work menus'),
  async ({ visitor }) => {
    const me = visitor('en');
    const { page } = me;
    await me.signUp();
    const option = (name: string) => page.getByRole('menuitemradio', { name });
    const press = (key: string) => page.keyboard.press(key);
    await me.modelButton.focus();
    await press('Enter');
    await expect(option('Parley Flash')).toBeFocused();
    await press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(me.modelButton).toBeFocused();

    await press('ArrowDown');
    await expect(option('Parley Flash')).toBeFocused();
    await press('ArrowDown');
    await press('ArrowDown');
    await expect(option('Parley Pro')).toBeFocused();
    await press('Enter');
    await expect(page.getByRole('menu')).toBeVisible();
    await press('Home');
    await expect(option('Parley Flash')).toBeFocused();
    await press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: me.say('chat.modelPlans') })).toBeFocused();
    await press('End');
    await expect(page.getByRole('menuitem', { name: me.say('chat.modelPlans') })).toBeFocused();
    await press('p');
    await expect(option('Parley Flash')).toBeFocused();
    await press('g');
    await expect(option('Gemini 2.5 Flash-Lite')).toBeFocused();
    await press('Enter');
    await expect(page.getByRole('menu')).toBeHidden();
    const button = page.getByRole('button', { name: /Gemini 2.5 Flash-Lite$/ });
    await expect(button).toBeFocused();
    await button.click();
    await expect(page.getByRole('menu')).toBeVisible();
    await button.click();
    await expect(page.getByRole('menu')).toBeHidden();
    await button.click();
    await page.getByRole('navigation', { name: me.say('chat.conversations') }).click();
    await expect(page.getByRole('menu')).toBeHidden();
  },
);

for (const { language, title } of journeys(
  'the model beside the price opens the same menu, and takes its choice',
)) {
  test(title, long('another journey goes most of the same way'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    const beside = page.getByRole('button', { name: say('chat.modelPrice', { cost: 15 }) });
    await expect(beside).toContainText(me.ownModel('Flash'));
    await beside.click();
    await page.getByRole('menuitemradio', { name: 'Gemini 2.5 Flash-Lite' }).click();
    const flashLite = page.getByRole('button', { name: 'Gemini 2.5 Flash-Lite' });
    await expect(flashLite).toHaveCount(2);
    await expect(flashLite.last()).toContainText(say('chat.modelPrice', { cost: 8 }));
  });
}
