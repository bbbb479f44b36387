import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Language, Provider } from '#contract/choices.ts';
import { unzip } from '#test/unzip.ts';
import { expectAccessible } from './expect-accessible.ts';
import { long } from './long.ts';
import { buy } from './purchase.ts';
import { type ProductWithClock, test } from './start-product-with-clock.ts';
import { variants } from './texts.ts';
import { BRIEFLY, expect, PASSWORD } from './visitor.ts';

const LEAVERS: { language: Language; provider: Provider }[] = [
  { language: 'zh', provider: 'creem' },
  { language: 'en', provider: 'bagelpay' },
];

async function plansAt(product: ProductWithClock, provider: Provider): Promise<string[]> {
  const response = await fetch(`${product[provider]}/__control/ledger`);
  const { subscriptions } = (await response.json()) as { subscriptions: { status: string }[] };
  return subscriptions.map(({ status }) => status);
}

for (const { language, provider } of variants(LEAVERS, 1)) {
  test(
    `${language}: a picture, everything as a ZIP, and the deletion of an account with a plan at ${provider}`,
    long('its rules have tests on the server'),
    async ({ visitor, product }) => {
      const me = visitor(language);
      const { page, say, email } = me;
      await me.register();
      await me.ask(`${BRIEFLY}canary`);
      await me.rest();
      await buy(me, { provider, planKey: 'gemini_basic', cycle: 'monthly' });
      const other = await me.openTab(`/${language}/chat`);

      await page.goto(`/profile?lang=${language}`);
      const photo = await sharp({ create: { width: 640, height: 320, channels: 3, background: '#2f6f5e' } })
        .png()
        .toBuffer();
      const file = page.getByLabel(say('picture.file'));
      await file.setInputFiles({
        name: 'notes.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from('<svg/>'),
      });
      await expect(page.getByText(say('errors.picture_unreadable'))).toBeVisible();
      await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: photo });
      await page.getByRole('button', { name: say('picture.use') }).click();
      await expect(page.getByRole('button', { name: say('picture.remove') })).toBeVisible();
      await expect(other.page.getByRole('banner').locator('img[src^="/api/pictures/"]')).toBeVisible();
      await expectAccessible(page);

      await page.goto(`/profile/data?lang=${language}`);
      await product.moveBy(11 / (24 * 60));
      await page.getByRole('button', { name: say('takeout.request') }).click();
      await page.getByRole('dialog').getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('confirmation.submit') })
        .click();
      const link = page.locator('a[href^="/api/me/export/"]');
      await expect(link).toBeVisible();
      await product.moveBy(11 / (24 * 60));
      await link.click();
      await page.getByRole('dialog').getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('dialog')
          .getByRole('button', { name: say('confirmation.submit') })
          .click(),
      ]);
      const files = await unzip(await readFile(await download.path()));
      const text = [...files.values()].map(String).join('\n');
      for (const part of [email, 'canary', 'gemini_basic']) expect(text).toContain(part);
      expect(files.has('picture.webp')).toBe(true);

      await page.getByRole('button', { name: say('leaving.title') }).click();
      const dialog = page.getByRole('alertdialog');
      await expect(dialog.getByText(say('leaving.stays'))).toBeVisible();
      await expect(dialog.getByText(say('leaving.planTitle'))).toBeVisible();
      await dialog.getByLabel(say('leaving.type', { email })).fill('somebody@else.test');
      await dialog.getByRole('button', { name: say('leaving.submit') }).click();
      await expect(dialog.getByText(say('leaving.mismatch'))).toBeVisible();
      await expectAccessible(page);
      await dialog.getByLabel(say('leaving.type', { email })).fill(email);
      await dialog.getByRole('button', { name: say('leaving.submit') }).click();
      await expect(page.getByRole('heading', { name: say('leaving.deletedTitle') })).toBeVisible();
      await expect(page).toHaveTitle(new RegExp(say('accountPages.index')));
      expect(await plansAt(product, provider)).toContain('canceled');
      expect(await plansAt(product, provider)).not.toContain('active');
      await expect(other.page.getByRole('link', { name: say('nav.login') }).first()).toBeVisible();
      expect((await page.request.get('/api/me')).status()).toBe(401);

      await me.register();
      await me.expectCredits(0);
      expect(await me.balance()).toBe(0);
      await product.moveBy(32);
      await me.signIn();
      await page.goto(`/${language}/chat`);
      await me.expectCredits(40);
    },
  );
}
