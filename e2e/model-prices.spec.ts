import { formatLongDay } from '#i18n/formats.ts';
import { openConsole, openScreen, runAdmin } from './console.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, test } from './visitor.ts';

/** Of each language its own: the price is for everybody. */
const PRICED = {
  zh: { id: 'gemini-2.5-pro', title: 'Gemini 2.5 Pro', before: 12, after: 13 },
  en: { id: 'gemini-2.5-flash', title: 'Gemini 2.5 Flash', before: 10, after: 11 },
};

for (const { language, title } of journeys(
  'an operator sets a price for a day to come, which everybody reads, and withdraws it',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    const day = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
    const { id, title: model, before, after } = PRICED[language];
    const shownDay = formatLongDay(language, new Date(day), 'UTC');
    const said = say('models.costLater', { day: shownDay, cost: after, context: '\\d+K' });
    const later = new RegExp(said.replaceAll(' ', '\\s'));
    await openConsole(me);
    await openScreen(me, 'models');
    await page.getByRole('button', { name: say('admin.models.priceNamed', { model }), exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say('admin.act.set_price.title') });
    await expect(dialog.getByLabel(say('admin.acts.newPrice'))).toBeFocused();
    await dialog.getByLabel(say('admin.acts.newPrice')).fill('21');
    await expect(dialog.getByText(say('admin.acts.priceWhole', { least: 8, most: 20 }))).toBeVisible();
    await dialog.getByLabel(say('admin.acts.newPrice')).fill(String(after));
    const tooSoon = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel(say('admin.acts.priceFrom')).fill(tooSoon);
    await expect(dialog.getByText(new RegExp(say('errors.price_too_soon', { from: '.*' })))).toBeVisible();
    await dialog.getByLabel(say('admin.acts.priceFrom')).fill(day);
    await expect(dialog.getByText(say('admin.models.marginThen'))).toBeVisible();
    await dialog.getByLabel(say('admin.acts.reason')).fill('the provider is dearer');
    await expectAccessibleInBothThemes(page);
    await dialog.getByRole('button', { name: say('admin.act.set_price.do'), exact: true }).dblclick();
    await expect(dialog.getByText(say('admin.acts.outcome.done'))).toBeFocused();
    await page.keyboard.press('Escape');
    try {
      const history = page.getByRole('table', { name: say('admin.models.history') });
      const change = history.getByRole('row').filter({ hasText: me.email });
      await expect(change).toHaveCount(1);
      await expect(change).toContainText(say('admin.models.changed', { from: day, before, after }));
      await page.setViewportSize({ width: 390, height: 844 });
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

      await page.goto(`/${language}/models`);
      await expect(page.getByText(later).filter({ visible: true })).toBeVisible();
      await expectAccessible(page);
      await page.setViewportSize({ width: 1280, height: 720 });

      await page.goto('/admin/models');
      await page
        .getByRole('button', { name: say('admin.models.withdrawNamed', { model, day }), exact: true })
        .click();
      const again = page.getByRole('dialog', { name: say('admin.act.withdraw_price.title') });
      await again.getByLabel(say('admin.acts.reason')).fill('it is not');
      await again.getByRole('button', { name: say('admin.act.withdraw_price.do'), exact: true }).click();
      await expect(again.getByText(say('admin.acts.outcome.done'))).toBeFocused();
      await page.goto(`/${language}/models`);
      await expect(page.getByRole('cell', { name: String(before), exact: true })).toBeVisible();
      await expect(page.getByText(later)).toHaveCount(0);
    } finally {
      await runAdmin(['withdraw-price', id, '--from', day, '--reason', 'the journey is over']).catch(
        () => {},
      );
    }
  });
}
