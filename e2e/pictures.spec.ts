import { expectAccessible, expectAccessibleInBothThemes } from './expect-accessible.ts';
import { long } from './long.ts';
import { buy } from './purchase.ts';
import { journeysOnScreens } from './texts.ts';
import { expect, test } from './visitor.ts';

const ASKED = {
  zh: ['画一只在雨里打伞的橘猫', '把伞换成红色的'],
  en: ['Draw a ginger cat with an umbrella in the rain', 'Make the umbrella red'],
};

for (const { language, size, title } of journeysOnScreens(
  'a picture is made in the shape and size chosen, and changed',
)) {
  test(title, long('its rules have tests on the server'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await page.setViewportSize(size);
    await me.signUp();
    await buy(me, { planKey: 'gemini_basic', cycle: 'monthly', provider: 'creem' });
    await page.goto(`/${language}/chat`);
    await me.modelButton.first().click();
    await page.getByRole('menuitemradio', { name: /Flash Image/ }).click();
    const before = await me.balance();

    const price = page.locator('form [aria-haspopup=dialog]');
    await expect(price).toContainText('20 Credits');
    const shape = page.getByRole('button', { name: new RegExp(say('drawing.title')) });
    await shape.click();
    await page.getByRole('menuitemradio', { name: /^2K/ }).click();
    await expect(price).toContainText('40 Credits');
    await shape.click();
    await expectAccessibleInBothThemes(page);
    await page.getByRole('menuitemradio', { name: '16:9', exact: true }).click();
    await expect(shape).toContainText('16:9 · 2K');

    await me.ask(ASKED[language][0] ?? '');
    const picture = me.turns.last().getByRole('figure').getByRole('img', { includeHidden: true }).first();
    await me.rest();
    await expect(picture).toHaveJSProperty('complete', true);
    expect(await me.balance()).toBe(before - 40);
    const { width, height } = (await picture.boundingBox()) ?? { width: 0, height: 1 };
    expect(Math.abs(width / height - 16 / 9)).toBeLessThan(0.05);

    // Its place is kept before its bytes are there: nothing moves when they come.
    await page.route('**/api/files/*/content', () => {});
    await page.reload();
    await expect(shape).toContainText('16:9 · 2K');
    await expect(picture).toBeVisible();
    const place = await picture.boundingBox();
    expect(Math.round(place?.height ?? 0)).toBe(Math.round(height));
    await page.unroute('**/api/files/*/content');
    await page.reload();

    await me.ask(ASKED[language][1] ?? '');
    await expect(me.turns).toHaveCount(2);
    await me.rest();
    expect(await me.balance()).toBe(before - 80);
    await expect(picture).toHaveJSProperty('complete', true);

    // Without a network a picture is not called deleted, and comes with it.
    await page.context().setOffline(true);
    await picture.dispatchEvent('error');
    await expect(me.turns.last()).toContainText(say('files.pictureAway'));
    await page.context().setOffline(false);
    await expect(picture).toHaveJSProperty('complete', true);
    await expectAccessible(page);

    const alt = (await picture.getAttribute('alt')) ?? '';
    await me.turns
      .last()
      .getByRole('button', { name: say('answer.openPicture', { name: alt }) })
      .click();
    const viewer = page.getByRole('dialog').last();
    await viewer.getByRole('button', { name: say('files.zoomIn') }).click();
    await expect(viewer).toContainText('%');
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    const downloadLink = me.turns.last().getByRole('link', { name: say('answer.downloadPicture') });
    // A finger rests on nothing.
    await page.mouse.move(0, 0);
    await expect(downloadLink).toHaveCSS('opacity', '1');
    await downloadLink.click();
    expect((await download).suggestedFilename()).toMatch(/\.(png|jpe?g|webp)$/);

    await me.ask('/emulate no-picture ?');
    await expect(me.turns).toHaveCount(3);
    await me.rest();
    await expect(me.turns.last()).toContainText(say('errors.picture_not_made'));
    expect(await me.balance()).toBe(before - 80);
  });
}
