import type { Locator } from '@playwright/test';
import { long } from './long.ts';
import { BRIEFLY, expect, test } from './visitor.ts';

/** Whether something has an outline, which is what is left of its look where colours are forced. */
async function expectOutlined(place: Locator, outlined = true): Promise<void> {
  const isOutlined = () =>
    place.evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
  await expect.poll(isOutlined, { message: String(place) }).toBe(outlined);
}

test(
  'where colours are forced, the focus and what is chosen are seen',
  long('its rules are a few lines of the style sheet'),
  async ({ visitor }) => {
    const me = visitor('zh');
    const { page, say } = me;
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/zh');
    const question = page.getByRole('main').getByRole('textbox').first();
    await question.focus();
    await expectOutlined(question);

    await me.signUp();
    const temporary = page.getByRole('button', { name: say('chat.temporary') });
    await expectOutlined(temporary, false);
    await temporary.click();
    await me.composer.focus();
    await expectOutlined(page.locator('form', { has: me.composer }));
    await expectOutlined(temporary);
    await temporary.click();

    await me.ask(`${BRIEFLY}一`);
    await me.rest();
    const rows = page.getByRole('navigation', { name: say('chat.conversations') }).getByRole('listitem');
    await expectOutlined(rows.first());
    const pane = page.getByRole('region', { name: say('chat.messages') });
    await pane.focus();
    await expectOutlined(pane);

    await me.titleButton.click();
    await page.getByRole('menuitem', { name: say('chat.rename') }).click();
    const title = page.getByRole('textbox', { name: say('chat.renameLabel') });
    await expect(title).toBeFocused();
    await expectOutlined(title);
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox');
    await expect(field).toBeFocused();
    await expectOutlined(field);
    await expectOutlined(page.getByRole('option', { selected: true }));
    await expectOutlined(page.getByRole('option', { selected: false }).first(), false);
    await page.keyboard.press('Escape');

    await me.turns
      .last()
      .getByRole('button', { name: say('chat.editPrompt') })
      .click();
    const prompt = me.turns.last().getByRole('textbox', { name: say('chat.editPrompt') });
    await prompt.focus();
    await expectOutlined(prompt);
    await page.keyboard.press('Escape');

    await page.goto('/zh/pricing');
    const themes = page.getByRole('contentinfo').locator('label');
    await expectOutlined(themes.filter({ has: page.locator(':checked') }));
    await expectOutlined(themes.filter({ hasNot: page.locator(':checked') }).first(), false);
  },
);
