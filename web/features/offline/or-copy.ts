import { ApiError } from '#web/lib/api.ts';
import { noteCopyShown } from './network-state.ts';
import type { readCopy } from './vault.ts';

/** What `read` gives; where no answer comes, the copy that this device keeps under the name. Throws as `read` where there is none. */
export async function orCopy<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'network') throw error;
    const copy = await readKept<T>(name);
    if (copy === undefined) throw error;
    noteCopyShown();
    return copy;
  }
}

/** The vault's code comes when it is needed; where it does not come, there is no copy. */
async function readKept<T>(name: string): Promise<T | undefined> {
  try {
    const vault: { readCopy: typeof readCopy } = await import('./vault.ts');
    return await vault.readCopy<T>(name);
  } catch {
    return undefined;
  }
}
