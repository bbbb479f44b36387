import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalogue } from '#contract/catalogue.ts';
import type { Rig } from '../rig.ts';

/** Waits until the walls of the browser are proved; says why where they are not. */
export async function awaitBrowser({ url }: Rig): Promise<void> {
  for (let left = 3_000; left > 0; left -= 1) {
    const { models } = (await (await fetch(`${url}/api/catalogue`)).json()) as Catalogue;
    if (models.some(({ computer }) => computer === 'browser')) return;
    await sleep(100);
  }
  throw new Error('no browser can be had here: the log of the server says why');
}
