import type { QueryFunctionContext } from '@tanstack/react-query';
import { ApiError } from '#web/lib/api.ts';
import { noteCopyShown } from './network-state.ts';
import type { readCopy } from './vault.ts';

/** The copies that are shown. */
const copies = new WeakSet<object>();

/**
 * What `read` gives; where no answer comes and nothing stands under the key yet, the copy that this device keeps under the name. Throws
 * as `read` where there is none, and where what is known is newer than a copy.
 */
export async function orCopy<T>(
  name: string,
  { client, queryKey }: Pick<QueryFunctionContext, 'client' | 'queryKey'>,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'network') throw error;
    const known = client.getQueryData(queryKey);
    if (isObject(known) && copies.has(known)) noteCopyShown();
    if (known !== undefined) throw error;
    const copy = await readKept<T>(name);
    if (copy === undefined) throw error;
    if (isObject(copy)) copies.add(copy);
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
