import { OFFLINE_KEY_COOKIE } from '#contract/choices.ts';

/** The database of what this device keeps for reading without a network. */
export const DATABASE = 'offline';

/**
 * Deletes what this device keeps of conversations, in every tab, and the session's half of their key first: what is left of them
 * on a disk can be read by nothing from then on.
 */
export function clearDevice(): void {
  try {
    for (const cookie of [`${OFFLINE_KEY_COOKIE}=`, `__Host-${OFFLINE_KEY_COOKIE}=; secure`]) {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet.
      document.cookie = `${cookie}; path=/; max-age=0`;
    }
    indexedDB.deleteDatabase(DATABASE);
  } catch {
    // Where cookies and storage are forbidden nothing was kept.
  }
}
