import { long } from './long.ts';
import { journeys } from './texts.ts';
import { expect, PASSWORD, test } from './visitor.ts';

/** Where an address of the one long page that the account was leads now, as mails and notes have it. */
const MOVED = {
  '/profile#name': { path: '/profile/details#name', part: 'profile.nameTitle' },
  '/profile#sessions': { path: '/profile/devices#sessions', part: 'profile.sessionsTitle' },
  '/profile#sign-ins': { path: '/profile/security#sign-ins', part: 'signIns.title' },
  '/profile#data': { path: '/profile/data#data', part: 'takeout.title' },
} as const;

for (const { language, title } of journeys(
  'every section of the account has an address, a title and its place in the index',
)) {
  test(title, long('`accessibility.spec.ts` opens each section'), async ({ visitor }) => {
    const me = visitor(language);
    const { page, say } = me;
    await me.signUp();
    await page.goto(`/profile?lang=${language}`);
    const index = page.getByRole('navigation', { name: say('accountPages.label') });
    const pages = [
      'profile/details',
      'profile/security',
      'profile/devices',
      'profile/billing',
      'profile/data',
      'profile/api',
    ];
    for (const one of pages) {
      const name = say(`accountPages.${one}`);
      await index.getByRole('link', { name }).click();
      await expect(page).toHaveURL(new RegExp(`/${one}$|/${one}\\?`));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
      await expect(page).toHaveTitle(new RegExp(`^${name} · `));
      await expect(index.locator('[aria-current=page]')).toHaveText(name);
      const origin = process.env.E2E_ORIGIN;
      await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${origin}/${one}`);
      await expect(page.locator('link[hreflang=en]')).toHaveAttribute('href', `${origin}/${one}?lang=en`);
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    }
  });
}

test(
  'addresses of the one long page lead to their sections, also after a login',
  long('a detail of the page that seldom breaks'),
  async ({ visitor, page }) => {
    const me = visitor('zh');
    const { say } = me;
    await me.signUp();
    for (const [old, { path, part }] of Object.entries(MOVED)) {
      await page.goto(old);
      await expect(page).toHaveURL(path);
      await expect(page.getByRole('heading', { name: say(part) })).toBeInViewport();
    }
    await page.context().clearCookies();
    await page.goto('/profile#data');
    await page
      .getByRole('main')
      .getByRole('link', { name: say('nav.login') })
      .click();
    await page.getByLabel(say('account.email')).fill(me.email);
    await page.getByLabel(say('account.password'), { exact: true }).fill(PASSWORD);
    await page.getByLabel(say('account.password'), { exact: true }).press('Enter');
    await expect(page).toHaveURL('/profile/data');
    await expect(page.getByRole('button', { name: say('takeout.request') })).toBeVisible();
  },
);

test(
  'on a phone the index is a page by itself, and every section leads back to it',
  long('a detail of the page that seldom breaks'),
  async ({ visitor, page }) => {
    const me = visitor('zh');
    const { say } = me;
    await me.signUp();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/profile');
    const index = page.getByRole('navigation', { name: say('accountPages.label') });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('accountPages.index'));
    await expect(page.getByRole('main')).toContainText(me.email);
    await expect(page.getByRole('main')).toContainText('40 Credits');
    await index.getByRole('link', { name: say('accountPages.profile/details') }).click();
    await expect(page).toHaveURL('/profile/details');
    await expect(page.getByRole('textbox', { name: say('profile.name') })).toBeVisible();
    await page.goBack();
    await index.getByRole('link', { name: say('accountPages.profile/billing') }).click();
    await expect(index).toBeHidden();
    await expect(page.getByText(say('subscription.freeUpdated'))).toBeVisible();
    await page
      .getByRole('main')
      .getByRole('link', { name: say('accountPages.index') })
      .click();
    await expect(index).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page).toHaveURL('/profile/details');
    await expect(index.locator('[aria-current=page]')).toHaveText(say('accountPages.profile/details'));
  },
);

test(
  'a question has its safe answer first and focused, and Escape gives it too',
  long('a detail of the page that seldom breaks'),
  async ({ visitor, page }) => {
    const me = visitor('zh');
    const { say } = me;
    await me.signUp();
    await page.goto('/profile/data');
    await page.getByRole('button', { name: say('leaving.title') }).click();
    const dialog = page.getByRole('alertdialog');
    const stay = dialog.getByRole('button', { name: say('leaving.stay') });
    await expect(stay).toBeFocused();
    const act = dialog.getByRole('button', { name: say('leaving.submit') });
    const left = async (one: typeof act) => (await one.boundingBox())?.x ?? 0;
    expect(await left(stay)).toBeLessThan(await left(act));
    const edge = (await dialog.boundingBox())?.x ?? 0;
    expect((await left(act)) - edge).toBeGreaterThan(100);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  },
);
