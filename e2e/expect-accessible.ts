import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { IS_LONG } from '#test/runs.ts';

/** What another theme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Fails, with rules and HTML, where axe finds violations on the page, or in its part that the selector `within` names. The page is
 * without motion from now on: colours on their way to others would be violations.
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  await look(page, {});
  await expectNone(page, {}, within);
}

/**
 * The same, and in `npm run test:long` its colours in the dark as well: `colour-contrast.test.ts` holds them without a browser. The
 * page is light before and after.
 */
export async function expectAccessibleInBothThemes(page: Page, within?: string): Promise<void> {
  await expectAccessible(page, within);
  if (!IS_LONG) return;
  await look(page, { colorScheme: 'dark' });
  await expectNone(page, { runOnly: COLOUR_RULES }, within);
  await look(page, { colorScheme: 'light' });
}

/** Changes what the browser asks the page for, and waits until it is drawn and no colour is on its way to another. */
async function look(page: Page, media: { colorScheme?: 'light' | 'dark' }): Promise<void> {
  await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

async function expectNone(page: Page, options: RunOptions, within?: string): Promise<void> {
  await loadAxe(page);
  const violations = await page.evaluate(
    async ([selector, wanted]) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const found = await axe.run(selector ?? document, wanted);
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
    },
    // What passes is counted only: naming each element of it takes longer than judging it.
    [within, { resultTypes: ['violations'], ...options } satisfies RunOptions] as const,
  );
  expect(violations).toEqual([]);
}

/** Puts axe into each frame of the page once: it is half a megabyte. The frames of other origins answer the page by messages. */
async function loadAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    // What a provider wrote and is shown as it is runs no script.
    if (frame.url() === 'about:srcdoc') continue;
    if (await frame.evaluate(() => 'axe' in window)) continue;
    await frame.evaluate(axe.source);
    await frame.evaluate("axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })");
  }
}
