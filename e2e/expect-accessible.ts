import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What another theme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Fails, with rules and HTML, where axe finds violations on the page, or in its part that the selector `within` names. The page is
 * without motion from now on: colours on their way to others would be violations.
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  await look(page, {});
  await expectNone(page, new AxeBuilder({ page }), within);
}

/** The same, and its colours in the dark as well. The page is light before and after. */
export async function expectAccessibleInBothThemes(page: Page, within?: string): Promise<void> {
  await expectAccessible(page, within);
  await look(page, { colorScheme: 'dark' });
  await expectNone(page, new AxeBuilder({ page }).withRules(COLOUR_RULES), within);
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

/** A page without frames is judged where it is; with frames, axe puts their results together in a page of its own. */
async function expectNone(page: Page, axe: AxeBuilder, within?: string): Promise<void> {
  if (within !== undefined) axe.include(within);
  axe.setLegacyMode(page.frames().length === 1);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([]);
}
