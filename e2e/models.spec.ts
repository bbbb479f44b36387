import { LANGUAGES } from './texts.ts';
import { expect, test } from './visitor.ts';

for (const language of LANGUAGES) {
  test(`${language}: the menu shows every model with its price and whether it may be used`, async ({
    visitor,
  }) => {
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
    await expect(coming.first()).toBeDisabled();
    await expect(coming.first()).not.toContainText(say('chat.modelUpgrade'));
    await model('Gemini 2.5 Flash-Lite').click();
    await expect(page.getByText(say('chat.emptyCost', { cost: 8 }))).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Gemini 2.5 Flash-Lite' })).toBeVisible();
  });

  test(`${language}: a choice that is not allowed any more gives way to an allowed one, with a notice`, async ({
    visitor,
  }) => {
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
