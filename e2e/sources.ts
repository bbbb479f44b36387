import type { Locator } from '@playwright/test';
import { expect, type Visitor } from './visitor.ts';

/** Chooses whether the web is searched, and waits where that has a price: what costs more than was seen is not sent. */
export async function chooseSearch({ page, say }: Visitor, mode: 'off' | 'auto' | 'always'): Promise<void> {
  await page.getByRole('button', { name: say('files.add') }).click();
  const choices = page.getByRole('group', { name: say('webSearch.title') });
  await choices.getByRole('menuitemradio', { name: new RegExp(`^${say(`webSearch.${mode}`)}`) }).click();
  if (mode !== 'off')
    await expect(page.locator('form [aria-haspopup=dialog][aria-busy=false]')).toBeVisible();
}

/** The list of the sources of an answer on screen. */
export function sourcesIn({ page, say }: Visitor): Locator {
  return page.getByRole('region', { name: say('sources.title') });
}
