import type { Locator } from '@playwright/test';
import type { Visitor } from './visitor.ts';

/** Chooses whether the web is searched. */
export async function chooseSearch({ page, say }: Visitor, mode: 'off' | 'auto' | 'always'): Promise<void> {
  await page.getByRole('button', { name: say('files.add') }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${say(`webSearch.${mode}`)}`) }).click();
}

/** The list of the sources of an answer on screen. */
export function sourcesIn({ page, say }: Visitor): Locator {
  return page.getByRole('region', { name: say('sources.title') });
}
